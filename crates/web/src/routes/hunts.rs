//! Hunts: start, stop, resume, follow.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use hunt::{HuntBudget, HuntSpec, random_seed};
use lab::view::{HuntIdView, View};
use search::MethodSpec;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::watch::Receiver;

use crate::body::Whole;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;
use rules::replay;

/// The minimum time between two messages about a hunt.
const PAUSE: Duration = Duration::from_millis(150);
/// The maximum time limit, in seconds: a year.
const LONGEST: f64 = 366.0 * 86_400.0;

/// The specification of a hunt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HuntRequest {
    /// A game in the native format; the hunt starts from its moves.
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

/// Starts a hunt.
pub(crate) async fn start(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let request: HuntRequest = body.json()?;
    let hunt = app.quick.run(move |_| hunt(request)).await??;
    let id = app.hunts.start(hunt)?;
    Ok(response::json_with(StatusCode::CREATED, &HuntIdView { id }))
}

fn hunt(request: HuntRequest) -> Result<HuntSpec, Refusal> {
    let (game, prefix) = api::played(request.game.to_string().as_bytes())?;
    replay(&game, &prefix)?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let given: Vec<(&str, String)> =
        request.parameters.iter().map(|(name, value)| (name.as_str(), text(value))).collect();
    let given = given.iter().map(|(name, value)| (*name, value.as_str()));
    let most = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let threads = request.threads.unwrap_or(1);
    if !(1..=most).contains(&threads) {
        let found = threads.to_string().into();
        let expected = "choose from 1 to the number of cores";
        return Err(Refusal::Value { name: "threads", found, expected });
    }
    Ok(HuntSpec {
        method: MethodSpec::named(&request.method, &game, given)?,
        game,
        prefix,
        seed: request.seed.unwrap_or_else(random_seed),
        threads,
        budget: HuntBudget {
            playouts: request.playouts,
            time: time(request.seconds)?,
            target: request.target.map(|target| target as usize),
        },
    })
}

fn time(seconds: Option<f64>) -> Result<Option<Duration>, Refusal> {
    match seconds {
        Some(seconds) if !(seconds > 0.0 && seconds <= LONGEST) => {
            let (name, found) = ("seconds", seconds.to_string().into());
            Err(Refusal::Value { name, found, expected: "choose more than 0 and at most a year" })
        }
        seconds => Ok(seconds.map(Duration::from_secs_f64)),
    }
}

/// All hunts, without their games.
pub(crate) async fn list(State(app): State<Arc<App>>) -> ApiResult {
    let views = app.hunts.states().into_iter().map(|state| state.view);
    response::json(&views.collect::<Vec<_>>())
}

/// One hunt, with its best game.
pub(crate) async fn one(State(app): State<Arc<App>>, Path(id): Path<u64>) -> ApiResult {
    response::json(&app.hunts.state(id)?.full_view())
}

/// Stops a hunt; it can be resumed later.
pub(crate) async fn stop(State(app): State<Arc<App>>, Path(id): Path<u64>) -> ApiResult {
    app.hunts.stop(id)?;
    response::json(&HuntIdView { id })
}

#[derive(Deserialize)]
pub(crate) struct ResumeRequest {
    seconds: Option<f64>,
}

/// Resumes a hunt.
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<u64>,
    Query(more): Query<ResumeRequest>,
) -> ApiResult {
    app.hunts.resume(id, time(more.seconds)?)?;
    response::json(&HuntIdView { id })
}

/// Forgets a hunt.
pub(crate) async fn forget(State(app): State<Arc<App>>, Path(id): Path<u64>) -> ApiResult {
    app.hunts.forget(id)?;
    response::json(&HuntIdView { id })
}

/// Server-sent events about all hunts.
pub(crate) async fn events(State(app): State<Arc<App>>) -> Result<Response, Refusal> {
    let place = Arc::clone(&app.streams).try_acquire_owned();
    let place = place.map_err(|_| Refusal::Busy("close another page first"))?;
    let mut changes = app.hunts.changes();
    changes.mark_changed();
    let stopping = app.stopping.clone();
    let stream = EventStream {
        app,
        changes,
        stopping,
        seen: HashMap::new(),
        queue: VecDeque::new(),
        _place: place,
    };
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(stream.messages()).keep_alive(keep_alive).into_response())
}

/// One client of the event stream.
struct EventStream {
    app: Arc<App>,
    changes: Receiver<u64>,
    stopping: Receiver<bool>,
    /// The version and score of each hunt last sent.
    seen: HashMap<u64, (u64, usize)>,
    queue: VecDeque<Event>,
    _place: OwnedSemaphorePermit,
}

impl EventStream {
    /// The messages, until the server stops.
    fn messages(self) -> impl Stream<Item = Result<Event, Infallible>> {
        unfold(self, |mut stream| async move {
            while stream.queue.is_empty() {
                tokio::select! {
                    changed = stream.changes.changed() => changed.ok()?,
                    _ = stream.stopping.wait_for(|stop| *stop) => return None,
                }
                stream.poll();
                tokio::time::sleep(PAUSE).await;
            }
            let event = stream.queue.pop_front()?;
            Some((Ok(event), stream))
        })
    }

    /// Queues what is new.
    fn poll(&mut self) {
        let states = self.app.hunts.states();
        let before = self.seen.len();
        self.seen.retain(|id, _| states.iter().any(|state| state.view.id == *id));
        if self.seen.len() < before {
            let ids: Vec<u64> = states.iter().map(|state| state.view.id).collect();
            self.send("known", &ids);
        }
        for state in &states {
            let view = &state.view;
            let seen = self.seen.insert(view.id, (view.version, view.best));
            match seen {
                Some((version, _)) if version == view.version => {}
                Some((_, best)) if best == view.best && view.left.is_none() => {
                    self.send("hunt", view);
                }
                _ => self.send("hunt", &state.full_view()),
            }
        }
    }

    fn send(&mut self, name: &str, value: &impl View) {
        let data = serde_json::to_string(value).expect("views have string keys");
        self.queue.push_back(Event::default().event(name).data(data));
    }
}
