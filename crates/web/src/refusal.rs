//! Why a request is refused, as a status and JSON.

use api::{ApiError, PlayError};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lab::view::ErrorView;

use crate::response;

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Refusal {
    /// Meant for another server: DNS rebinding, or a name that is not allowed.
    #[error("unknown host name; start the server with --name NAME to allow it")]
    Host,
    /// Sent by a page of another site.
    #[error("requests from pages of other sites are not allowed")]
    Origin,
    /// Without the secret.
    #[error("missing or wrong token; open the address that the server printed")]
    Token,
    /// Too often.
    #[error("too many requests; wait a second")]
    Rate,
    /// Too much at once.
    #[error("the server is busy; {0}")]
    Busy(&'static str),
    #[error("not found")]
    NotFound,
    #[error("method not allowed")]
    Method,
    #[error("invalid value in the address")]
    Address,
    #[error("the body is larger than {0} bytes")]
    TooLarge(usize),
    #[error("the body did not arrive in time")]
    TooSlow,
    #[error("the body is incomplete")]
    Broken,
    #[error("invalid request: {0}")]
    Json(#[from] serde_json::Error),
    #[error("invalid {name} `{found}`; {expected}")]
    Value { name: &'static str, found: Box<str>, expected: &'static str },
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error(transparent)]
    Illegal(#[from] rules::IllegalSequence),
    #[error("{0}")]
    Verifier(verify::Refusal),
    #[error(transparent)]
    Search(#[from] search::MethodError),
    #[error(transparent)]
    Hunt(#[from] hunt::HuntError),
    #[error("no such board: {reason}")]
    Board { reason: bound::BoardError },
    #[error("no solver; run scripts/solver to fetch HiGHS, and restart the server")]
    NoSolver,
    #[error(transparent)]
    Certificate(#[from] bound::lp::LpError),
    #[error("no game fits on this board")]
    NothingToDraw,
    #[error("this server has no archive")]
    NoArchive,
    #[error(transparent)]
    NotAccepted(#[from] evidence::VerifyError),
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error("no such hunt")]
    NoHunt,
    #[error("the hunt cannot be saved: {0}")]
    Unsaved(#[from] hunt::CheckpointTooLarge),
    #[error("cannot resume: {0}")]
    Saved(#[from] hunt::CheckpointError),
    #[error("this hunt is {0}")]
    HuntIs(&'static str),
    #[error("no folder for training runs; start the server with --training DIR")]
    NoTraining,
    #[error("a training run is {0}")]
    TrainingIs(&'static str),
    #[error(transparent)]
    TrainingFolder(#[from] lab::training_folder::TrainingFolderError),
    #[error(transparent)]
    TrainingParameters(#[from] search::ParameterError),
    #[error(transparent)]
    TrainingRun(#[from] learn::TrainingRunError),
    /// A bug, or an error of the system.
    #[error("internal error; see the log of the server")]
    Failed,
}

impl Refusal {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Host => StatusCode::MISDIRECTED_REQUEST,
            Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Rate => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::NotFound
            | Self::Api(ApiError::Play(PlayError::NotFound))
            | Self::NoHunt
            | Self::NoArchive
            | Self::NoTraining
            | Self::NoSolver => StatusCode::NOT_FOUND,
            Self::Store(store::StoreError::Unknown(_)) => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge(_) | Self::Api(ApiError::Play(PlayError::TooMuch { .. })) => {
                StatusCode::PAYLOAD_TOO_LARGE
            }
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::HuntIs(_) | Self::TrainingIs(_) => StatusCode::CONFLICT,
            Self::Address
            | Self::Broken
            | Self::Json(_)
            | Self::Value { .. }
            | Self::Api(
                ApiError::Value { .. }
                | ApiError::Model(_)
                | ApiError::Play(
                    PlayError::Json(_) | PlayError::Rules(_) | PlayError::Start | PlayError::Link,
                ),
            ) => StatusCode::BAD_REQUEST,
            Self::Failed | Self::Hunt(_) | Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    /// The faulty move, counted from 1.
    fn number(&self) -> Option<usize> {
        match self {
            Self::Illegal(sequence) => Some(sequence.number),
            Self::Api(error) => error.number(),
            Self::Verifier(refusal) => refusal.number().map(|number| number as usize),
            _ => None,
        }
    }
}

impl Refusal {
    /// A name for pages and programs, which stays the same when the message changes.
    fn code(&self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Origin => "origin",
            Self::Token => "token",
            Self::Rate => "rate",
            Self::Busy(_) => "busy",
            Self::NotFound => "not-found",
            Self::Method => "method",
            Self::Address => "address",
            Self::TooLarge(_) => "too-large",
            Self::TooSlow => "too-slow",
            Self::Broken => "broken",
            Self::Json(_) => "json",
            Self::Value { .. } => "value",
            Self::Api(error) => error.code(),
            Self::Illegal(_) => "illegal",
            Self::Verifier(refusal) => refusal.fault.name(),
            Self::Search(_) => "search",
            Self::Hunt(_) => "hunt",
            Self::Board { .. } => "board",
            Self::NoSolver => "no-solver",
            Self::Certificate(_) => "certificate",
            Self::NothingToDraw => "nothing-to-draw",
            Self::NoArchive => "no-archive",
            Self::NotAccepted(_) => "not-accepted",
            Self::Store(_) => "store",
            Self::NoHunt => "no-hunt",
            Self::Unsaved(_) => "unsaved",
            Self::Saved(_) => "saved",
            Self::HuntIs(_) => "hunt-is",
            Self::NoTraining => "no-training",
            Self::TrainingIs(_) => "training-is",
            Self::TrainingFolder(_) | Self::TrainingParameters(_) | Self::TrainingRun(_) => {
                "training"
            }
            Self::Failed => "failed",
        }
    }
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Self {
        Self::Api(error.into())
    }
}

/// The reason for the log, in the extensions of the response.
#[derive(Debug, Clone)]
pub(crate) struct Reason(pub(crate) String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        // Libraries may quote the input at length.
        let error: String =
            self.to_string().chars().filter(|c| !c.is_control()).take(500).collect();
        let (status, reason) = (self.status(), Reason(error.clone()));
        // Internal details, such as file names, are not for clients.
        let view = if status.is_server_error() && !matches!(self, Self::Busy(_)) {
            ErrorView::new(Self::Failed.code(), Self::Failed.to_string(), None)
        } else {
            ErrorView::new(self.code(), error, self.number())
        };
        let mut response = response::json_with(status, &view);
        response.extensions_mut().insert(reason);
        response
    }
}
