//! The state of a hunt: its view, and what only some messages carry.

use std::error::Error;
use std::sync::Arc;

use hunt::{Checkpoint, HuntSpec};
use lab::view::{HuntStatus, HuntView};
use record::Record;
use serde::{Deserialize, Serialize};

/// The state of a hunt; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct HuntState {
    pub(crate) view: HuntView,
    /// The best game, in the native format.
    pub(crate) record: Option<Arc<str>>,
    /// Improvements: seconds and moves.
    history: Arc<Vec<(f64, usize)>>,
}

/// What a page shows of a hunt and its checkpoint does not say; saved beside it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct HuntCourse {
    /// Whether it reached its budget or target.
    done: bool,
    /// The time limit, in seconds.
    time: Option<f64>,
    /// Improvements: seconds and moves.
    history: Vec<(f64, usize)>,
}

impl HuntState {
    /// A hunt that starts now.
    pub(super) fn new(id: u64, spec: &HuntSpec) -> Self {
        Self { view: HuntView::new(id, spec), record: None, history: Arc::default() }
    }

    /// A hunt that an earlier server has saved, with its course if that was saved, too.
    pub(super) fn from_saved(id: u64, saved: &Checkpoint, course: Option<&[u8]>) -> Self {
        let mut state = Self::new(id, &saved.spec);
        let view = &mut state.view;
        view.status = HuntStatus::Stopped;
        (view.playouts, view.seconds) = (saved.playouts(), saved.wall().as_secs_f64());
        view.lasts = true;
        if saved.best().len() > saved.spec.prefix.len() {
            state.found(&saved.record());
        }
        let course = course.and_then(|text| serde_json::from_slice::<HuntCourse>(text).ok());
        if let Some(HuntCourse { done, time, mut history }) = course {
            let view = &mut state.view;
            view.time = time;
            if done {
                view.status = HuntStatus::Done;
            }
            history.retain(|(_, score)| *score <= view.best);
            // What was found between the last saving of the course and that of the checkpoint.
            if history.last().map(|(_, score)| *score) != Some(view.best) {
                history.extend(state.history.iter().copied());
            }
            state.history = Arc::new(history);
        }
        state
    }

    /// Its course, to be saved.
    pub(super) fn course(&self) -> Vec<u8> {
        let done = self.view.status == HuntStatus::Done;
        let course = HuntCourse { done, time: self.view.time, history: self.history.to_vec() };
        serde_json::to_vec(&course).unwrap_or_default()
    }

    /// The view with the game and the history.
    pub(crate) fn full_view(&self) -> HuntView {
        HuntView {
            record: self.record.as_deref().and_then(|text| serde_json::from_str(text).ok()),
            history: Some(self.history.to_vec()),
            ..self.view.clone()
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.view.status == HuntStatus::Running
    }

    /// Takes over a game at least as long as the best one.
    pub(super) fn found(&mut self, record: &Record) {
        let (view, score) = (&mut self.view, record.lines().len());
        if score < view.best {
            return;
        }
        if score > view.best {
            Arc::make_mut(&mut self.history).push((view.seconds, score));
        }
        view.best = score;
        self.record = Some(record.to_json().into());
    }

    pub(super) fn fail(&mut self, error: &dyn Error) {
        self.view.status = HuntStatus::Failed;
        self.view.reason = Some(error.to_string());
    }
}
