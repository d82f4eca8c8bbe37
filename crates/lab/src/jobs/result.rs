//! What came of a task, its message `morpion-result/1` (`docs/formats.md`), and whether it counts.

use bound::BoardProblem;
use evidence::{CheckedProof, JudgedGame, NotAccepted};
use geometry::Game;
use serde::{Deserialize, Serialize};
use store::Accepted;

use super::{Task, Work};
use hunt::{Hunt, PROGRAM};

/// The format of results.
const FORMAT: &str = "morpion-result/1";

/// The most bytes of a result.
pub const MOST_RESULT_BYTES: usize = 16 << 20;

/// What a worker hands in. Nothing of it is true until the judge has said so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskResult {
    format: String,
    /// The id of the task.
    pub task: String,
    /// Who computed it.
    pub program: String,
    /// How long it took.
    pub seconds: f64,
    /// How many playouts were made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The game found: the text of a native file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The certificate found: its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

impl TaskResult {
    /// The result of a task of which nothing was asked.
    pub fn new(task: &Task, seconds: f64) -> Self {
        Self {
            format: FORMAT.to_owned(),
            task: task.id().to_owned(),
            program: PROGRAM.to_owned(),
            seconds,
            playouts: None,
            game: None,
            certificate: None,
        }
    }

    /// Its message.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a message is made of JSON values")
    }
}

/// Why a result does not count.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// Larger than any result.
    #[error("a result of {0} bytes; at most {MOST_RESULT_BYTES} are taken")]
    TooLarge(usize),
    /// Not the JSON expected.
    #[error("not a result: {0}")]
    Malformed(String),
    /// Another version.
    #[error("its format is `{0}`; this program reads `{FORMAT}`")]
    Format(String),
    /// A result of another task.
    #[error("it is the result of another task, {0}")]
    OtherTask(String),
    /// Not what was asked for.
    #[error("there should be a {0} in it and nothing else")]
    Wanted(&'static str),
    /// The judge says no.
    #[error(transparent)]
    NotAccepted(#[from] NotAccepted),
    /// A game of another kind.
    #[error("a game of {found} where one of {wanted} was asked for")]
    OtherGame {
        /// What was asked for.
        wanted: String,
        /// What it is.
        found: String,
    },
    /// A certificate of something else.
    #[error("it proves something else: {0}")]
    OtherClaim(String),
    /// A number out of range.
    #[error("its number of seconds is out of range")]
    Seconds,
}

/// Has the judge look at a result. Gives what is to be kept, and how many seconds it took.
///
/// What a game says of where it comes from is not taken over: the task knows.
pub fn judge_result(task: &Task, bytes: &[u8]) -> Result<(Accepted, f64), Refused> {
    if bytes.len() > MOST_RESULT_BYTES {
        return Err(Refused::TooLarge(bytes.len()));
    }
    let result: TaskResult = serde_json::from_slice(bytes)
        .map_err(|error| Refused::Malformed(error.to_string().chars().take(200).collect()))?;
    let short = |text: &str| text.chars().take(64).flat_map(char::escape_debug).collect();
    if result.format != FORMAT {
        return Err(Refused::Format(short(&result.format)));
    }
    if result.task != task.id() {
        return Err(Refused::OtherTask(short(&result.task)));
    }
    if !(0.0..1e9).contains(&result.seconds) {
        return Err(Refused::Seconds);
    }
    let accepted = match (task.work(), &result.game, &result.certificate) {
        (Work::Hunt { hunt, .. }, Some(game), None) => {
            Accepted::Game(Box::new(judged_game(hunt, game, result.playouts.unwrap_or(0))?))
        }
        (Work::Hunt { .. }, _, _) => return Err(Refused::Wanted("game")),
        (Work::Board(asked), None, Some(certificate)) => {
            Accepted::Proof(Box::new(checked_proof(asked, certificate)?))
        }
        (Work::Board(_), _, _) => return Err(Refused::Wanted("certificate")),
        (Work::Nothing(_), None, None) => Accepted::Nothing,
        (Work::Nothing(_), _, _) => return Err(Refused::Wanted("number of seconds")),
    };
    Ok((accepted, result.seconds))
}

/// How long the game of any task's result is, if the judge finds it legal and it is one of this game.
pub(super) fn judged_score(bytes: &[u8], game: &Game) -> Option<u32> {
    let bytes = Some(bytes).filter(|bytes| bytes.len() <= MOST_RESULT_BYTES)?;
    let result: TaskResult = serde_json::from_slice(bytes).ok()?;
    let judged = JudgedGame::judge(&result.game?).ok()?;
    (judged.game() == game).then(|| judged.verified().score())
}

/// Which task a result says it is of.
pub(super) fn task_of(bytes: &[u8]) -> Option<String> {
    let bytes = Some(bytes).filter(|bytes| bytes.len() <= MOST_RESULT_BYTES)?;
    Some(serde_json::from_slice::<TaskResult>(bytes).ok()?.task)
}

fn judged_game(hunt: &Hunt, text: &str, playouts: u64) -> Result<JudgedGame, Refused> {
    let judged = JudgedGame::judge(text)?;
    if *judged.game() != hunt.game {
        let (wanted, found) = (hunt.game.to_string(), judged.game().to_string());
        return Err(Refused::OtherGame { wanted, found });
    }
    let record = hunt.record(evidence::moves(judged.verified()), playouts);
    Ok(JudgedGame::judge(&record.to_json())?)
}

fn checked_proof(asked: &BoardProblem, text: &str) -> Result<CheckedProof, Refused> {
    let proof = CheckedProof::check(text.to_owned())?;
    let exact = if asked.exact { "exact " } else { "" };
    let board = format!("{exact}{}", asked.board);
    match *proof.game() == asked.game && proof.board() == Some(&board) {
        true => Ok(proof),
        false => Err(Refused::OtherClaim(proof.proof().claim())),
    }
}

#[cfg(test)]
mod tests {
    use search::Method;

    use super::*;

    fn task(name: &str) -> Task {
        let game = Game::named(name).expect("a game");
        let method = Method::named("random", &game, []).expect("a method");
        let (playouts, time, target) = (Some(1), None, None);
        let hunt = Hunt { game, from: vec![], method, seed: 7, threads: 1, playouts, time, target };
        Task::hunt(hunt)
    }

    fn game(rules: &str, dot: &str) -> String {
        let head = format!(r#"{{"format":"morpion-game/1","rules":"{rules}","start":"cross""#);
        let provenance = r#""provenance":{"author":"a liar","seed":99}"#;
        format!(r#"{head},"moves":[{{"new":{dot},"line":[[3,0],"E"]}}],{provenance}}}"#)
    }

    fn handed(task: &Task, game: Option<String>) -> Vec<u8> {
        TaskResult { game, ..TaskResult::new(task, 0.5) }.to_bytes()
    }

    #[test]
    fn a_game_counts_if_the_judge_says_so_and_says_of_itself_what_the_task_says() {
        let task = task("5T");
        let bytes = handed(&task, Some(game("5T", "[7,0]")));
        let (accepted, seconds) = judge_result(&task, &bytes).expect("accepted");
        let Accepted::Game(judged) = accepted else { panic!("a game") };
        assert_eq!((judged.verified().score(), seconds), (1, 0.5));
        assert_eq!(judged.provenance().seed, Some(7));
        assert_eq!(judged.provenance().author, None);
    }

    #[test]
    fn every_other_result_is_refused_with_its_reason() {
        let (ours, other) = (task("5T"), task("5D"));
        let good = handed(&ours, Some(game("5T", "[7,0]")));
        let certificate =
            TaskResult { certificate: Some(String::new()), ..TaskResult::new(&ours, 1.0) };
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        for (bytes, reason) in [
            (handed(&ours, Some(game("5T", "[4,0]"))), "refuses"),
            (handed(&ours, Some(game("5D", "[7,0]"))), "5D where one of 5T"),
            (handed(&ours, Some("no game".to_owned())), "refuses"),
            (handed(&ours, None), "should be a game"),
            (certificate.to_bytes(), "should be a game"),
            (handed(&other, Some(game("5T", "[7,0]"))), "another task"),
            (good[..good.len() / 2].to_vec(), "not a result"),
            (vec![b' '; MOST_RESULT_BYTES + 1], "at most"),
            (text(&good).replace("result/1", "result/2").into_bytes(), "result/2"),
            (text(&good).replace("0.5", "-0.5").into_bytes(), "seconds"),
            (text(&good).replace("\"seconds\"", "\"extra\":1,\"seconds\"").into(), "extra"),
        ] {
            let no = judge_result(&ours, &bytes).expect_err(reason);
            assert!(no.to_string().contains(reason), "{no}: {reason}");
        }
    }
}
