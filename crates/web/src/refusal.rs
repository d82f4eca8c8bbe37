//! Why a request is refused, as a status and JSON.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use geometry::RulesError;
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
    Rules(#[from] RulesError),
    #[error("cannot read the game: {0}")]
    Read(#[from] record::ReadError),
    #[error("a drawing has no order of moves; verify it first")]
    Drawing,
    #[error(transparent)]
    Illegal(#[from] rules::IllegalSequence),
    #[error("more than {most} {what}; the `morpion` command takes more")]
    TooMuch { what: &'static str, most: usize },
    #[error("{0}")]
    Judge(verify::Refusal),
    #[error(transparent)]
    Search(#[from] search::MethodError),
    #[error(transparent)]
    Hunt(#[from] hunt::HuntError),
    #[error("cannot draw this: {0}")]
    Render(#[from] render::RenderError),
    #[error("cannot write this: {0}")]
    Write(#[from] record::WriteError),
    #[error("cannot read the formula: {0}")]
    Formula(#[from] reduce::cnf::ParseFormulaError),
    #[error(transparent)]
    Compile(#[from] reduce::CompileError),
    #[error(transparent)]
    Reduction(#[from] lab::reduction::ReductionError),
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
            Self::NotFound | Self::NoHunt | Self::NoArchive | Self::NoSolver => {
                StatusCode::NOT_FOUND
            }
            Self::Store(store::StoreError::Unknown(_)) => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge(_) | Self::TooMuch { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::HuntIs(_) => StatusCode::CONFLICT,
            Self::Address | Self::Broken | Self::Json(_) | Self::Value { .. } | Self::Rules(_) => {
                StatusCode::BAD_REQUEST
            }
            Self::Failed | Self::Hunt(_) | Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    /// The faulty move, counted from 1.
    fn number(&self) -> Option<usize> {
        match self {
            Self::Illegal(sequence) => Some(sequence.number),
            Self::Judge(refusal) => refusal.number().map(|number| number as usize),
            _ => None,
        }
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
        let error = if status.is_server_error() && !matches!(self, Self::Busy(_)) {
            Self::Failed.to_string()
        } else {
            error
        };
        let mut response = response::json_with(status, &ErrorView { error, number: self.number() });
        response.extensions_mut().insert(reason);
        response
    }
}
