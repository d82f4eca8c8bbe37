//! Hunts: begin, stop, go on, and look on as they run.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use hunt::Hunt;
use search::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::watch::Receiver;

use super::native;
use super::position::replay;
use crate::answer::{self, Answer};
use crate::body::Whole;
use crate::hunts::{View, drawn_seed};
use crate::refusal::Refusal;
use crate::server::App;

/// The least pause between two messages about the same hunt.
const PAUSE: Duration = Duration::from_millis(150);
/// The longest time that can be asked for, in seconds: a year.
const LONGEST: f64 = 366.0 * 86_400.0;

/// What is asked of a hunt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// A game in the native format; the hunt begins with its moves.
    game: Value,
    #[serde(default = "auto")]
    method: String,
    #[serde(default)]
    parameters: BTreeMap<String, Value>,
    seconds: Option<f64>,
    playouts: Option<u64>,
    target: Option<u32>,
    seed: Option<u64>,
    threads: Option<u32>,
}

fn auto() -> String {
    "auto".to_owned()
}

#[derive(Serialize)]
struct Begun {
    id: u64,
}

/// Begins a hunt.
pub(crate) async fn start(State(app): State<Arc<App>>, body: Whole) -> Answer {
    let wish: Wish = body.json()?;
    let hunt = app.quick.run(move |_| hunt(wish)).await??;
    let id = app.hunts.start(hunt)?;
    Ok(answer::json_with(StatusCode::CREATED, &Begun { id }))
}

fn hunt(wish: Wish) -> Result<Hunt, Refusal> {
    let (game, from) = native::played_value(&wish.game)?;
    replay(&game, &from)?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let given: Vec<(&str, String)> =
        wish.parameters.iter().map(|(name, value)| (name.as_str(), text(value))).collect();
    let given = given.iter().map(|(name, value)| (*name, value.as_str()));
    let most = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let threads = wish.threads.unwrap_or(1);
    if !(1..=most).contains(&threads) {
        let found = threads.to_string().into();
        let expected = "take at least 1 and no more than there are cores";
        return Err(Refusal::Value { name: "threads", found, expected });
    }
    Ok(Hunt {
        method: Method::named(&wish.method, &game, given)?,
        game,
        from,
        seed: wish.seed.map_or_else(drawn_seed, Ok)?,
        threads,
        playouts: wish.playouts,
        time: time(wish.seconds)?,
        target: wish.target.map(|target| target as usize),
    })
}

fn time(seconds: Option<f64>) -> Result<Option<Duration>, Refusal> {
    match seconds {
        Some(seconds) if !(seconds > 0.0 && seconds <= LONGEST) => {
            let (name, found) = ("seconds", seconds.to_string().into());
            Err(Refusal::Value { name, found, expected: "take more than 0, and at most a year" })
        }
        seconds => Ok(seconds.map(Duration::from_secs_f64)),
    }
}

/// A view with the game and the history, which are not part of every message.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    view: &'a View,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<&'a [(f64, usize)]>,
}

impl<'a> Told<'a> {
    fn of(view: &'a View) -> Self {
        let record = view.record.as_deref().and_then(|text| serde_json::from_str(text).ok());
        Self { view, record, history: Some(&view.history) }
    }

    fn numbers(view: &'a View) -> Self {
        Self { view, record: None, history: None }
    }
}

/// All hunts, without their games.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Answer {
    answer::json(&app.hunts.views())
}

/// One hunt, with its best game.
pub(crate) async fn one(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    answer::json(&Told::of(&app.hunts.view(id)?))
}

/// Stops a hunt; it can go on later.
pub(crate) async fn stop(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    app.hunts.stop(id)?;
    answer::json(&Begun { id })
}

#[derive(Deserialize)]
pub(crate) struct More {
    seconds: Option<f64>,
}

/// Goes on with a hunt.
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    Query(more): Query<More>,
) -> Answer {
    app.hunts.resume(id, time(more.seconds)?)?;
    answer::json(&Begun { id })
}

/// Forgets a hunt.
pub(crate) async fn forget(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Answer {
    app.hunts.forget(id)?;
    answer::json(&Begun { id })
}

/// Messages about all hunts, as they change.
pub(crate) async fn events(State(app): State<Arc<App>>) -> Result<Response, Refusal> {
    let place = Arc::clone(&app.streams).try_acquire_owned();
    let place = place.map_err(|_| Refusal::Busy("close another page first"))?;
    let mut changes = app.hunts.changes();
    changes.mark_changed();
    let stopping = app.stopping.clone();
    let looker = Looker {
        app,
        changes,
        stopping,
        seen: HashMap::new(),
        queue: VecDeque::new(),
        _place: place,
    };
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(looker.messages()).keep_alive(keep_alive).into_response())
}

/// Someone who looks on.
struct Looker {
    app: Arc<App>,
    changes: Receiver<u64>,
    stopping: Receiver<bool>,
    /// The version and the score of each hunt that were told last.
    seen: HashMap<u64, (u64, usize)>,
    queue: VecDeque<Event>,
    _place: OwnedSemaphorePermit,
}

impl Looker {
    /// One message after the other, until the server stops.
    fn messages(self) -> impl Stream<Item = Result<Event, Infallible>> {
        unfold(self, |mut looker| async move {
            while looker.queue.is_empty() {
                tokio::select! {
                    changed = looker.changes.changed() => changed.ok()?,
                    _ = looker.stopping.wait_for(|stop| *stop) => return None,
                }
                looker.look();
                tokio::time::sleep(PAUSE).await;
            }
            let event = looker.queue.pop_front()?;
            Some((Ok(event), looker))
        })
    }

    /// Puts what is new into the queue.
    fn look(&mut self) {
        let views = self.app.hunts.views();
        let before = self.seen.len();
        self.seen.retain(|id, _| views.iter().any(|view| view.id == *id));
        if self.seen.len() < before {
            let ids: Vec<u64> = views.iter().map(|view| view.id).collect();
            self.tell("known", &ids);
        }
        for view in &views {
            let seen = self.seen.insert(view.id, (view.version, view.best));
            match seen {
                Some((version, _)) if version == view.version => {}
                Some((_, best)) if best == view.best && view.left.is_none() => {
                    self.tell("hunt", &Told::numbers(view));
                }
                _ => self.tell("hunt", &Told::of(view)),
            }
        }
    }

    fn tell(&mut self, name: &str, value: &impl Serialize) {
        let data = serde_json::to_string(value).expect("our own data has string keys");
        self.queue.push_back(Event::default().event(name).data(data));
    }
}
