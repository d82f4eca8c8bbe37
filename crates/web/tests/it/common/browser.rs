//! A real Chromium without a window, driven as a person would use it.

use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fantoccini::actions::{InputSource, MouseActions, PointerAction, TouchActions};
use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::client::Client as HttpClient;
use crate::until::{LONG, until_or};

/// One browser at a time: they are large.
static TURN: Mutex<()> = Mutex::new(());

/// A browser with its driver, which ends with the test.
pub(crate) struct Browser {
    runtime: Runtime,
    client: Client,
    driver: Child,
    port: u16,
    _profile: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// Opens a window of this size.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let port = port.expect("a free port").port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver runs; scripts/browser installs it");
        let profile = tempfile::tempdir().expect("a temporary folder");
        let args = [
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--disable-gpu".to_owned(),
            "--lang=en".to_owned(),
            format!("--user-data-dir={}", profile.path().display()),
            format!("--window-size={width},{height}"),
        ];
        // A window is never as narrow as a phone, so that the page is told so.
        let mut options = json!({"args": args});
        if width < 500 {
            let screen = json!({"width": width, "height": height, "pixelRatio": 1.0,
                "touch": false, "mobile": false});
            options["mobileEmulation"] = json!({"deviceMetrics": screen});
        }
        let capabilities = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        });
        let Value::Object(capabilities) = capabilities else { unreachable!("an object") };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let connect = || {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(capabilities.clone());
            runtime.block_on(builder.connect(&format!("http://127.0.0.1:{port}")))
        };
        // The driver needs a moment to listen.
        let mut connected = connect();
        until_or(
            || {
                if connected.is_err() {
                    connected = connect();
                }
                connected.is_ok()
            },
            || "no browser".to_owned(),
        );
        let client = connected.expect("a browser");
        Self { runtime, client, driver, port, _profile: profile, _turn: turn }
    }

    pub(crate) fn open(&self, address: &str) {
        self.runtime.block_on(self.client.goto(address)).expect("the page opens");
    }

    /// What a script says.
    pub(crate) fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        let answer = self.runtime.block_on(self.client.execute(script, arguments));
        answer.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// What a script hands to its last argument.
    pub(crate) fn script_async(&self, script: &str) -> Value {
        let answer = self.runtime.block_on(self.client.execute_async(script, vec![]));
        answer.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until this holds.
    #[track_caller]
    pub(crate) fn until(&self, condition: &str) {
        let script = format!("return Boolean({condition})");
        let holds = || self.script(&script, vec![]) == json!(true);
        until_or(holds, || format!("{condition}; {:?}", self.console()));
    }

    /// The text of an element, once it is there.
    #[track_caller]
    pub(crate) fn text(&self, css: &str) -> String {
        self.runtime.block_on(self.find(css).text()).expect("a text")
    }

    #[track_caller]
    pub(crate) fn click(&self, css: &str) {
        self.until(&format!("!document.querySelector({css:?})?.disabled"));
        let element = self.find(css);
        self.runtime.block_on(element.click()).unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Presses keys, wherever the focus is.
    pub(crate) fn press(&self, css: &str, keys: &str) {
        let element = self.find(css);
        self.runtime.block_on(element.send_keys(keys)).expect("keys arrive");
    }

    /// Puts text into a field at once, as pasting does.
    pub(crate) fn paste(&self, css: &str, text: &str) {
        self.find(css);
        let script = "const field = document.querySelector(arguments[0]); field.focus();
            field.value = arguments[1];
            for (const type of ['input', 'change'])
                field.dispatchEvent(new Event(type, {bubbles: true}));";
        self.script(script, vec![json!(css), json!(text)]);
    }

    /// Drops a file on an element.
    pub(crate) fn drop_file(&self, css: &str, name: &str, text: &str) {
        self.find(css);
        let script = "const [css, name, text] = arguments; const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], name));
            const drop = new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer});
            document.querySelector(css).dispatchEvent(drop);";
        self.script(script, vec![json!(css), json!(name), json!(text)]);
    }

    /// The pixel of a point of the board.
    pub(crate) fn pixel(&self, css: &str, x: f64, y: f64) -> (f64, f64) {
        self.find(css);
        let script = "const svg = document.querySelector(arguments[0]);
            const point = new DOMPoint(arguments[1], arguments[2]);
            const at = point.matrixTransform(svg.getScreenCTM());
            return [at.x, at.y];";
        let at = self.script(script, vec![json!(css), json!(x), json!(y)]);
        let number = |index: usize| at[index].as_f64().expect("a number").round();
        (number(0), number(1))
    }

    /// Moves the mouse to a point of the board.
    pub(crate) fn hover(&self, css: &str, x: f64, y: f64) {
        let (x, y) = self.pixel(css, x, y);
        let actions = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo {
            duration: None,
            x,
            y,
        });
        self.runtime.block_on(self.client.perform_actions(actions)).expect("a mouse");
    }

    /// Puts a finger on a point of the board, slides by some pixels, and lifts it.
    pub(crate) fn touch(&self, css: &str, (x, y): (f64, f64), by: (f64, f64)) {
        let (x, y) = self.pixel(css, x, y);
        let button = fantoccini::actions::MOUSE_BUTTON_LEFT;
        let actions = TouchActions::new("finger".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button })
            .then(PointerAction::MoveTo { duration: None, x: x + by.0, y: y + by.1 })
            .then(PointerAction::Up { button });
        self.runtime.block_on(self.client.perform_actions(actions)).expect("a finger");
    }

    /// Taps a point of the board with the mouse.
    pub(crate) fn tap(&self, css: &str, x: f64, y: f64) {
        let (x, y) = self.pixel(css, x, y);
        let button = fantoccini::actions::MOUSE_BUTTON_LEFT;
        let actions = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button })
            .then(PointerAction::Up { button });
        self.runtime.block_on(self.client.perform_actions(actions)).expect("a tap");
    }

    /// Errors and warnings on the console since the last call.
    pub(crate) fn console(&self) -> Vec<String> {
        let session = self.runtime.block_on(self.client.session_id());
        let session = session.expect("a session").expect("a session");
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        let body = json!({"type": "browser"}).to_string();
        let path = format!("/session/{session}/se/log");
        let entries = HttpClient::new(address).ask("POST", &path, body.as_bytes()).json();
        let entries = entries["value"].as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| entry["message"].to_string()).collect()
    }

    #[track_caller]
    fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(LONG);
        let found = self.runtime.block_on(wait.for_element(Locator::Css(css)));
        found.unwrap_or_else(|error| panic!("{css}: {error}"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Whatever fails here, the driver goes, and the browser with it.
        let _ = self.runtime.block_on(self.client.clone().close());
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
