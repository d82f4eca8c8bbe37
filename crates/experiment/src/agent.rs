//! An agent from elsewhere as a search method: a program that plays by lines of JSON.
//!
//! The program is one end of the conversation of `morpion env`: it reads states on its standard
//! input and writes requests to its standard output. A playout is a game that has ended, or that it
//! has left for another. Its games are verified like all others, and its CPU time counts as that of
//! the thread that talks to it, so that the comparison with other methods is fair.
//!
//! An agent that crashes, plays nothing or sends one bad request after the other has no result:
//! what went wrong is left for the caller, [`take_failure`].

use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use geometry::{Game, Move};
use lab::environment::{AgentReply, Environment};
use rand::Rng as _;
use rules::Position;
use search::{
    BudgetMeter, Method, MethodBuild, MethodInfo, MethodSpec, MethodState, ParameterValues, Rng,
    Run, SearchState, StateError,
};

/// What comes before the command of an agent where a method is named.
pub(crate) const PREFIX: &str = "external:";

/// How often the clock is looked at while an agent thinks.
const TICK: Duration = Duration::from_millis(10);

/// The longest line that is read.
const LINE: u64 = 1 << 16;

/// How many lines may wait on their way to an agent, and from it.
const WAITING: usize = 64;

/// How many requests in a row may be refused.
const REFUSALS: u32 = 100;

/// How long an agent that has closed its output may take to end.
const EXIT_TIME: Duration = Duration::from_secs(10);

/// How much of a reply a message shows.
const MAX_SHOWN: usize = 80;

static INFO: MethodInfo = MethodInfo {
    name: "external",
    summary: "A program that plays by lines of JSON, like `morpion env`",
    source: "",
    playout: "a game that has ended, or was left for another",
    parameters: &[],
    build: MethodBuild::External,
};

thread_local! {
    static AGENT_TIME: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The CPU time of the agents that this thread has talked to.
pub(crate) fn agent_time() -> Duration {
    AGENT_TIME.get()
}

/// Why an agent has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the agent `{command}` {fault}; {}", last_reply(.last.as_deref()))]
pub struct AgentError {
    /// Its command.
    pub command: String,
    /// What is wrong.
    pub fault: AgentFault,
    /// The last line that it sent.
    pub last: Option<String>,
}

/// What is wrong with an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentFault {
    /// It cannot be started.
    Start(io::ErrorKind),
    /// It failed: its exit code, or `None` if a signal ended it.
    Failed(Option<i32>),
    /// It ended before it had played a move.
    Idle,
    /// It closed its output and did not end.
    Closed,
    /// It had not played a move when its time, or the search, was over.
    Silent,
    /// It sent as many bad requests in a row; this was the answer to the last one.
    Refused(u32, String),
}

impl fmt::Display for AgentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(kind) => write!(f, "cannot be started: {kind}"),
            Self::Failed(Some(code)) => write!(f, "failed with exit code {code}"),
            Self::Failed(None) => f.write_str("was ended by a signal"),
            Self::Idle => f.write_str("ended with exit code 0 before it had played a move"),
            Self::Closed => f.write_str("closed its output and did not end"),
            Self::Silent => f.write_str("had not played a move when its time was over"),
            Self::Refused(count, answer) => {
                write!(f, "sent {count} bad requests in a row, the last refused with: {answer}")
            }
        }
    }
}

fn last_reply(last: Option<&str>) -> String {
    match last {
        Some(line) => format!("its last reply was `{line}`"),
        None => "it sent nothing".to_owned(),
    }
}

thread_local! {
    static FAILURE: RefCell<Option<AgentError>> = const { RefCell::new(None) };
}

/// What went wrong with an agent that this thread has talked to, since the last call.
pub(crate) fn take_failure() -> Option<AgentError> {
    FAILURE.take()
}

/// Whether a method is an agent.
pub(crate) fn is_agent(method: &MethodSpec) -> bool {
    method.info().name == INFO.name
}

/// The method that a command stands for. The program is started once, to see that it can be.
pub(crate) fn method(command: &str, game: &Game) -> Result<MethodSpec, io::Error> {
    let method = AgentMethod { words: command.split_whitespace().map(str::to_owned).collect() };
    let mut trial = method.command()?;
    let mut trial =
        trial.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // It may have ended already.
    let _ = trial.kill();
    trial.wait()?;
    let values = ParameterValues::parse(INFO.parameters, game, []).expect("none were given");
    Ok(MethodSpec::external(&INFO, values, Arc::new(method)))
}

#[derive(Debug)]
struct AgentMethod {
    words: Vec<String>,
}

impl AgentMethod {
    fn command(&self) -> Result<Command, io::Error> {
        let (program, arguments) =
            self.words.split_first().ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        let mut command = Command::new(program);
        command.args(arguments);
        Ok(command)
    }
}

impl Method for AgentMethod {
    fn start(&self, game: &Game, prefix: &[Move], rng: &mut Rng) -> Box<dyn Run> {
        let command = lab::text::escape(&self.words.join(" "));
        let talk = self.command().and_then(|mut command| {
            // Small enough to be exact in every language.
            let seed = rng.next_u64() >> 11;
            command.env("MORPION_SEED", seed.to_string());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
        });
        let environment = Environment::after(game.clone(), prefix).expect("the prefix is legal");
        let mut run = AgentRun {
            command,
            talk: None,
            game: game.clone(),
            environment,
            first: prefix.len(),
            best: prefix.to_vec(),
            is_unreported: false,
            refused: 0,
            last: None,
        };
        match talk {
            Ok(child) => run.talk = Conversation::begin(child, &run.environment),
            Err(error) => run.fail(AgentFault::Start(error.kind())),
        }
        Box::new(run)
    }
}

/// A run: the agent, and the game that it plays.
struct AgentRun {
    command: String,
    /// `None` if the agent could not be started, or is gone.
    talk: Option<Conversation>,
    game: Game,
    environment: Environment,
    /// The number of moves that were played before.
    first: usize,
    best: Vec<Move>,
    /// Whether the best game has not been reported.
    is_unreported: bool,
    /// How many requests were refused, since the last that was not.
    refused: u32,
    /// The last line from the agent, as far as a message shows it.
    last: Option<String>,
}

impl AgentRun {
    fn fail(&mut self, fault: AgentFault) {
        self.leave();
        let (command, last) = (self.command.clone(), self.last.clone());
        FAILURE.set(Some(AgentError { command, fault, last }));
    }

    /// Ends the conversation, and the agent with it.
    fn leave(&mut self) {
        if let Some(mut talk) = self.talk.take() {
            talk.charge();
        }
    }

    fn has_played(&self) -> bool {
        self.best.len() > self.first
    }

    fn conclude(&mut self, why: NoLine) {
        match why {
            NoLine::Ended => self.end(),
            NoLine::Over if !self.has_played() => self.fail(AgentFault::Silent),
            NoLine::Over => {}
        }
    }

    /// The agent does not talk any more.
    fn end(&mut self) {
        match self.talk.as_mut().and_then(Conversation::exit_code) {
            None => self.fail(AgentFault::Closed),
            Some(Some(0)) if self.has_played() => self.leave(),
            Some(Some(0)) => self.fail(AgentFault::Idle),
            Some(code) => self.fail(AgentFault::Failed(code)),
        }
    }
}

impl Run for AgentRun {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, _rng: &mut Rng) -> ControlFlow<()> {
        let Some(talk) = &mut self.talk else { return ControlFlow::Break(()) };
        meter.playout()?;
        loop {
            let line = match talk.receive(meter) {
                Ok(line) => line,
                Err(why) => {
                    self.conclude(why);
                    break;
                }
            };
            self.last = Some(lab::text::escape(line.trim()).chars().take(MAX_SHOWN).collect());
            let before = self.environment.position().score();
            let reply = self.environment.answer(line.trim());
            let position = self.environment.position();
            let (score, is_over) = (position.score(), position.legal().is_empty());
            // An agent may look at other games, but they do not count.
            if score > self.best.len() && *position.game() == self.game {
                self.best = position.moves();
                self.is_unreported = true;
            }
            if let Err(why) = talk.send(&reply, meter) {
                self.conclude(why);
                break;
            }
            match reply {
                AgentReply::Error { error } => {
                    self.refused += 1;
                    if self.refused >= REFUSALS {
                        self.fail(AgentFault::Refused(self.refused, error));
                        break;
                    }
                }
                _ => self.refused = 0,
            }
            if is_over && score > before || score == 0 && before > 0 {
                break;
            }
        }
        if let Some(talk) = &mut self.talk {
            talk.charge();
        }
        if std::mem::take(&mut self.is_unreported) {
            meter.improved(&self.best)?;
        }
        if self.talk.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    fn state(&self) -> Option<MethodState> {
        None
    }

    fn restore(&mut self, _state: &SearchState) -> Result<(), StateError> {
        Err(StateError::Method)
    }
}

/// The agent's process.
struct Conversation {
    child: Child,
    replies: SyncSender<String>,
    lines: Receiver<String>,
    /// What has been charged of its CPU time.
    charged: Duration,
    begun: Instant,
    /// When the clock was last looked at.
    looked: Instant,
}

/// Why there is no line.
enum NoLine {
    /// The search is over.
    Over,
    /// The agent has closed its output.
    Ended,
}

impl Conversation {
    fn begin(mut child: Child, environment: &Environment) -> Option<Self> {
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        let (sender, lines) = mpsc::sync_channel(WAITING);
        thread::spawn(move || read_lines(output, &sender));
        let (replies, receiver) = mpsc::sync_channel(WAITING);
        thread::spawn(move || write_lines(input, &receiver));
        let state = AgentReply::State(environment.state());
        replies.try_send(line_of(&state)).expect("there is room for the first");
        let begun = Instant::now();
        Some(Self { child, replies, lines, charged: Duration::ZERO, begun, looked: begun })
    }

    /// The next line. An agent that always has one does not keep the clock from being looked at.
    fn receive(&mut self, meter: &mut BudgetMeter<'_>) -> Result<String, NoLine> {
        if self.looked.elapsed() >= TICK {
            self.look(meter)?;
        }
        loop {
            match self.lines.recv_timeout(TICK) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Ended),
                Err(RecvTimeoutError::Timeout) => self.look(meter)?,
            }
        }
    }

    /// Sends a reply. It waits for an agent that does not read, and one that is gone is noticed
    /// when nothing comes from it.
    fn send(&mut self, reply: &AgentReply, meter: &mut BudgetMeter<'_>) -> Result<(), NoLine> {
        let mut line = line_of(reply);
        loop {
            match self.replies.try_send(line) {
                Ok(()) | Err(TrySendError::Disconnected(_)) => return Ok(()),
                Err(TrySendError::Full(same)) => line = same,
            }
            thread::sleep(TICK);
            self.look(meter)?;
        }
    }

    fn look(&mut self, meter: &mut BudgetMeter<'_>) -> Result<(), NoLine> {
        self.looked = Instant::now();
        self.charge();
        if meter.look().is_break() { Err(NoLine::Over) } else { Ok(()) }
    }

    /// How the agent has ended, if it does in time: its exit code, or none after a signal.
    fn exit_code(&mut self) -> Option<Option<i32>> {
        let begun = Instant::now();
        while begun.elapsed() < EXIT_TIME {
            // While it can still be asked for.
            self.charge();
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status.code());
            }
            thread::sleep(TICK);
        }
        None
    }

    /// Charges this thread with the CPU time of the agent.
    fn charge(&mut self) {
        let spent = cpu_time(self.child.id()).unwrap_or_else(|| self.begun.elapsed());
        AGENT_TIME.set(AGENT_TIME.get() + spent.saturating_sub(self.charged));
        self.charged = self.charged.max(spent);
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line_of(reply: &AgentReply) -> String {
    let mut line = serde_json::to_string(reply).expect("a reply has a JSON form");
    line.push('\n');
    line
}

/// Writes lines until nobody reads them or sends more.
fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Passes lines on until the output ends, a line is too long or nobody listens.
fn read_lines(output: ChildStdout, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = String::new();
        match output.by_ref().take(LINE).read_line(&mut line) {
            Ok(1..) if line.ends_with('\n') => {}
            _ => return,
        }
        if !line.trim().is_empty() && sender.send(line).is_err() {
            return;
        }
    }
}

/// The CPU time of a process and of those it has waited for; `None` where the system does not say.
fn cpu_time(process: u32) -> Option<Duration> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Its name, in parentheses, may hold anything.
    let (_, fields) = text.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(4).map(|field| field.parse::<u64>().ok());
    let ticks: u64 = ticks.sum::<Option<u64>>()?;
    Some(Duration::from_secs_f64(ticks as f64 / TICKS_PER_SECOND))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use search::{Budget, Search};

    fn search(script: &str, budget: Budget) -> (usize, u64) {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), script).expect("written");
        let game = Game::named("5D").expect("a known game");
        let spec = method(&format!("sh {}", file.path().display()), &game).expect("it starts");
        let mut playouts = 0;
        let found = Search::start(spec.method(), &game, &[], Rng::seed_from_u64(1));
        let found = found.run(budget, |event| {
            if let search::Event::Progress(count) = event {
                playouts = count;
            }
            ControlFlow::Continue(())
        });
        (found.len(), playouts)
    }

    const FIRST_MOVES: &str = r#"
        test "$MORPION_SEED" || exit
        while read state; do
            case "$state" in
            *'"over":true'*) echo '{"new": "5D"}' ;;
            *) echo '{"play": 0}' ;;
            esac
        done"#;

    #[test]
    fn an_agent_plays_games_to_their_end() {
        let (score, playouts) = search(FIRST_MOVES, Budget::playouts(3));
        assert!(score > 20 && playouts == 3, "{score} {playouts}");
    }

    #[test]
    fn an_agent_that_ends_keeps_its_game_and_one_that_waits_is_cut() {
        let twice =
            "read state; echo '{\"play\": 0}'; read state; echo '{\"play\": 0}'; read state";
        assert_eq!(search(twice, Budget::playouts(5)).0, 2);
        let deadline = Some(Instant::now());
        let (score, _) =
            search("read state; exec sleep 60", Budget { deadline, ..Budget::default() });
        assert_eq!(score, 0);
    }

    #[test]
    fn other_games_do_not_count_and_nonsense_is_answered() {
        let other = r#"
            read state; echo '{"new": "4T"}'; read state; echo '{"play": 0}'; read state
            echo 'nonsense'; read state
            case "$state" in *error*) echo '{"new": "5D"}'; read state; echo '{"play": 0}' ;; esac
            read state"#;
        assert_eq!(search(other, Budget::playouts(9)).0, 1);
    }

    #[test]
    fn an_agent_without_a_result_says_why() {
        let fault = |script, budget| {
            search(script, budget);
            take_failure().map(|error| (error.fault, error.last))
        };
        let some = || Budget::playouts(5);
        assert_eq!(fault("exit 0", some()), Some((AgentFault::Idle, None)));
        assert_eq!(fault("exit 3", some()), Some((AgentFault::Failed(Some(3)), None)));
        let crash = "read state; echo '{\"play\": 0}'; read state; exit 1";
        let last = Some(r#"{"play": 0}"#.to_owned());
        assert_eq!(fault(crash, some()), Some((AgentFault::Failed(Some(1)), last)));
        let hello = Some("hello".to_owned());
        assert_eq!(fault("echo hello", some()), Some((AgentFault::Idle, hello)));
        let refused = fault("exec yes", some());
        assert!(matches!(refused, Some((AgentFault::Refused(REFUSALS, _), _))), "{refused:?}");
        // The first asks on and on and reads nothing, the second reads every answer. However long
        // it takes on a busy machine until something comes from them.
        for script in
            ["exec yes '{\"state\": null}'", "while read s; do echo '{\"state\": null}'; done"]
        {
            let endless = (0..12).find_map(|doubled| {
                let deadline = Some(Instant::now() + Duration::from_millis(50 << doubled));
                let short = Budget { deadline, ..Budget::default() };
                fault(script, short).filter(|(_, last)| last.is_some())
            });
            assert!(matches!(endless, Some((AgentFault::Silent, _))), "{endless:?}");
        }
        assert_eq!(fault(FIRST_MOVES, some()), None);
    }

    #[test]
    fn a_command_that_cannot_be_started_is_an_error() {
        let game = Game::named("5D").expect("a known game");
        assert!(method("/absent/agent", &game).is_err() && method(" ", &game).is_err());
    }

    #[test]
    fn the_time_of_the_agent_is_charged() {
        let busy = r#"
            read state; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done
            echo '{"play": 0}'; read state"#;
        search(busy, Budget::playouts(2));
        assert!(agent_time() > Duration::ZERO);
    }
}
