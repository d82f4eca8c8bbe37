//! An agent from elsewhere as a search method: a program that plays by lines of JSON.
//!
//! The program is one end of the conversation of `morpion env`: it reads states on its standard
//! input and writes requests to its standard output. A playout is a game that has ended, or that it
//! has left for another. Its games are verified like all others, and its CPU time counts as that of
//! the thread that talks to it, so that the comparison with other methods is fair.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
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
        let talk = self.command().and_then(|mut command| {
            // Small enough to be exact in every language.
            let seed = rng.next_u64() >> 11;
            command.env("MORPION_SEED", seed.to_string());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
        });
        let environment = Environment::after(game.clone(), prefix).expect("the prefix is legal");
        Box::new(AgentRun {
            talk: talk.ok().and_then(|child| Conversation::begin(child, &environment)),
            game: game.clone(),
            environment,
            best: prefix.to_vec(),
            is_news: false,
        })
    }
}

/// A run: the agent, and the game that it plays.
struct AgentRun {
    /// `None` if the agent could not be started, or is gone.
    talk: Option<Conversation>,
    game: Game,
    environment: Environment,
    best: Vec<Move>,
    /// Whether the best game has not been reported.
    is_news: bool,
}

impl Run for AgentRun {
    fn step(&mut self, meter: &mut BudgetMeter<'_>, _rng: &mut Rng) -> ControlFlow<()> {
        let Some(talk) = &mut self.talk else { return ControlFlow::Break(()) };
        meter.playout()?;
        loop {
            let line = match talk.receive(meter) {
                Ok(line) => line,
                Err(Silence::Cut) => break,
                Err(Silence::Gone) => {
                    self.talk = None;
                    break;
                }
            };
            let before = self.environment.position().score();
            let reply = self.environment.answer(line.trim());
            let position = self.environment.position();
            let (score, is_over) = (position.score(), position.legal().is_empty());
            // An agent may look at other games, but they do not count.
            if score > self.best.len() && *position.game() == self.game {
                self.best = position.moves();
                self.is_news = true;
            }
            if !talk.send(&reply) {
                self.talk = None;
                break;
            }
            if is_over && score > before || score == 0 && before > 0 {
                break;
            }
        }
        if let Some(talk) = &mut self.talk {
            talk.charge();
        }
        if std::mem::take(&mut self.is_news) {
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
    input: ChildStdin,
    lines: Receiver<String>,
    /// What has been charged of its CPU time.
    charged: Duration,
    begun: Instant,
}

/// Why there is no line.
enum Silence {
    /// The search is over.
    Cut,
    /// The agent has ended.
    Gone,
}

impl Conversation {
    fn begin(mut child: Child, environment: &Environment) -> Option<Self> {
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || read_lines(output, &sender));
        let begun = Instant::now();
        let mut talk = Self { child, input, lines, charged: Duration::ZERO, begun };
        talk.send(&AgentReply::State(environment.state())).then_some(talk)
    }

    fn receive(&mut self, meter: &mut BudgetMeter<'_>) -> Result<String, Silence> {
        loop {
            match self.lines.recv_timeout(TICK) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) => {
                    self.charge();
                    if meter.look().is_break() {
                        return Err(Silence::Cut);
                    }
                }
            }
        }
    }

    /// Whether the agent takes the reply.
    fn send(&mut self, reply: &AgentReply) -> bool {
        let mut line = serde_json::to_string(reply).expect("a reply has a JSON form");
        line.push('\n');
        self.input.write_all(line.as_bytes()).is_ok()
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

/// Passes lines on until the output ends, a line is too long or nobody listens.
fn read_lines(output: ChildStdout, sender: &mpsc::Sender<String>) {
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
