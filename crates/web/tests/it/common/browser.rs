//! A real Chromium without a window, driven as a person would use it.

use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::client::Client as HttpClient;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

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
        let capabilities = json!({
            "goog:chromeOptions": {"args": args},
            "goog:loggingPrefs": {"browser": "ALL"},
        });
        let Value::Object(capabilities) = capabilities else { unreachable!("an object") };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let client = runtime.block_on(async {
            let began = Instant::now();
            loop {
                let connected = ClientBuilder::new(HttpConnector::new())
                    .capabilities(capabilities.clone())
                    .connect(&format!("http://127.0.0.1:{port}"))
                    .await;
                match connected {
                    Ok(client) => break client,
                    // The driver needs a moment to listen.
                    Err(error) => assert!(began.elapsed() < PATIENCE, "no browser: {error}"),
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
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

    /// Waits until this holds.
    #[track_caller]
    pub(crate) fn until(&self, condition: &str) {
        let began = Instant::now();
        while self.script(&format!("return Boolean({condition})"), vec![]) != json!(true) {
            assert!(began.elapsed() < PATIENCE, "never: {condition}; {:?}", self.console());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The text of an element, once it is there.
    #[track_caller]
    pub(crate) fn text(&self, css: &str) -> String {
        self.runtime.block_on(self.find(css).text()).expect("a text")
    }

    #[track_caller]
    pub(crate) fn click(&self, css: &str) {
        self.until(&format!("document.querySelector({css:?})?.disabled === false || document.querySelector({css:?})?.disabled === undefined"));
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
        let script = "const field = document.querySelector(arguments[0]); field.focus(); field.value = arguments[1];
            for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, {bubbles: true}));";
        self.script(script, vec![json!(css), json!(text)]);
    }

    /// Drops a file on an element.
    pub(crate) fn drop_file(&self, css: &str, name: &str, text: &str) {
        self.find(css);
        let script = "const [css, name, text] = arguments; const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], name));
            document.querySelector(css).dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer}));";
        self.script(script, vec![json!(css), json!(name), json!(text)]);
    }

    /// Taps a point of the board with the mouse.
    pub(crate) fn tap(&self, css: &str, x: f64, y: f64) {
        self.find(css);
        let script = "const svg = document.querySelector(arguments[0]); svg.scrollIntoView({block: 'nearest'});
            const at = new DOMPoint(arguments[1], arguments[2]).matrixTransform(svg.getScreenCTM()); return [at.x, at.y];";
        let at = self.script(script, vec![json!(css), json!(x), json!(y)]);
        let number = |index: usize| at[index].as_f64().expect("a number").round();
        let button = fantoccini::actions::MOUSE_BUTTON_LEFT;
        let actions = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo { duration: None, x: number(0), y: number(1) })
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
        let wait = self.client.wait().at_most(PATIENCE);
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
