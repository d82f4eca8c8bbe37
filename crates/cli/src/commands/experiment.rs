//! `morpion experiment`: one subcommand for each row of the registry.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches, Subcommand};
use experiment::{
    EXPERIMENTS, Event, Experiment, ExperimentError, ExperimentParameter, ParameterKind,
    PrefixGame, Request, find,
};
use lab::view::ExperimentView;
use std::ops::ControlFlow;

use super::game_file;
use crate::args::{FileGame, all_cores};
use crate::files;
use crate::interrupt::{Interruption, TimeLimit};
use crate::output::{Exit, print, print_json};
use crate::progress::Progress;
use crate::solver::SolverArgs;

const EXAMPLES: &str = "\
Examples:
  morpion experiment
  morpion experiment table2 --quick
  morpion experiment fig4 --repeats 5 --sizes 10000,100000 -o out/my-fig4
  morpion experiment prefix --from record.json --keep 80,85,90,95
  morpion experiment nmcs --levels 3 --repeats 4
  morpion experiment anytime --method temper --method sa:t0=4,t1=4 --game 5D --for 30s
  morpion experiment all -o results";

/// Run a published table or figure again and compare with the published values
///
/// Without a name, lists the experiments with their cost. Each writes three files into its folder:
/// NAME.csv has every run with its seed, NAME.md compares our values with the published ones,
/// NAME.svg is a chart. Every run is stored at once: after Ctrl-C or a crash the same command
/// resumes. Scores depend on --seed only, not on threads.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    choice: Option<Choice>,

    /// Print the list of experiments as JSON
    #[arg(long)]
    json: bool,
}

/// An experiment and its flags, as the registry has them.
struct Choice {
    experiment: &'static Experiment,
    matches: ArgMatches,
}

impl Subcommand for Choice {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(EXPERIMENTS.iter().map(subcommand))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        find(name).is_some()
    }
}

impl FromArgMatches for Choice {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let experiment = find(name).ok_or_else(missing)?;
        Ok(Self { experiment, matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn subcommand(experiment: &Experiment) -> Command {
    let mut command = Command::new(experiment.name);
    for parameter in experiment.parameters() {
        command = match parameter.kind {
            ParameterKind::Solver => SolverArgs::augment_args(command),
            ParameterKind::VerifiedGame { required: true } => {
                FileGame::augment_args(command.arg(flag(parameter)))
            }
            _ => command.arg(flag(parameter)),
        };
    }
    if has_time_limit(experiment) {
        command = TimeLimit::augment_args(command);
    }
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    // Last, since arguments of other commands bring their own.
    command.arg(json.help("Print the results as JSON")).about(experiment.title)
}

/// Whether `--for` is the time of the whole experiment: in some it is a parameter, the time of a
/// run.
fn has_time_limit(experiment: &Experiment) -> bool {
    experiment.parameters().all(|parameter| parameter.name != "for")
}

fn flag(parameter: &ExperimentParameter) -> Arg {
    let ExperimentParameter { name, alias, value_name, help, kind, default } = *parameter;
    let mut arg = Arg::new(name).long(name).help(help);
    if name == "out" {
        arg = arg.short('o');
    }
    if let Some(alias) = alias {
        arg = arg.alias(alias);
    }
    if let Some(default) = default {
        arg = arg.default_value(default);
    }
    if kind == ParameterKind::Flag {
        return arg.action(ArgAction::SetTrue);
    }
    let action = if kind.repeats() { ArgAction::Append } else { ArgAction::Set };
    let check = move |text: &str| kind.check(text).map(|()| text.to_owned());
    arg.value_name(value_name)
        .action(action)
        .required(kind == ParameterKind::VerifiedGame { required: true })
        .allow_hyphen_values(kind == ParameterKind::Time)
        .value_parser(check)
}

impl Choice {
    fn request(&self) -> Result<Request> {
        let mut request = Request::new(self.experiment, all_cores());
        for parameter in self.experiment.parameters() {
            let name = parameter.name;
            match parameter.kind {
                ParameterKind::Flag => {
                    if self.matches.get_flag(name) {
                        request.set(name, "")?;
                    }
                }
                ParameterKind::Solver => {
                    let solver = SolverArgs::from_arg_matches(&self.matches)?;
                    request.solver = Some(solver.open()?);
                }
                ParameterKind::VerifiedGame { required } => {
                    if let Some(file) = self.matches.get_one::<String>(name) {
                        request.from = Some(self.game(&PathBuf::from(file), required)?);
                    }
                }
                _ => {
                    let values = self.matches.get_many::<String>(name).into_iter().flatten();
                    for value in values {
                        request.set(name, value)?;
                    }
                }
            }
        }
        Ok(request)
    }

    /// The game of a file, which must be legal.
    fn game(&self, file: &Path, has_rules: bool) -> Result<PrefixGame> {
        let name = files::name(file);
        let game = match has_rules {
            true => FileGame::from_arg_matches(&self.matches)?.game()?,
            false => None,
        };
        let check = game_file::verify(file, game.as_ref())?;
        let verdict = check.verdict.with_context(|| format!("--from {name}"))?;
        let moves = verdict.moves().to_vec();
        let game = check.record.with_context(|| format!("--from {name}"))?.game;
        Ok(PrefixGame { name, game, moves })
    }
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Some(choice) = args.choice else { return list(args.json) };
    let request = choice.request()?;
    let limit = match has_time_limit(choice.experiment) {
        true => TimeLimit::from_arg_matches(&choice.matches)?,
        false => TimeLimit::default(),
    };
    let (stop, line) = (limit.stop_flag(), Progress::new());
    let result = (choice.experiment.run)(&request, &|event| {
        line.show(progress(event));
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    drop(line);
    let views = match result {
        Err(error @ ExperimentError::Interrupted { .. }) => {
            return Err(Interruption(error.to_string()).into());
        }
        result => result?,
    };
    match &views[..] {
        [view] if choice.matches.get_flag("json") => print_json(view)?,
        _ if choice.matches.get_flag("json") => print_json(&views)?,
        _ => views.iter().try_for_each(print)?,
    }
    Ok(Exit::Success)
}

fn progress(event: Event) -> String {
    let Event::Progress { experiment, unit, done, total, remaining } = event else {
        return String::new();
    };
    let left = remaining.map(|left| format!(", {} left", time(left.as_secs_f64())));
    format!("{experiment}: {done} of {total} {unit}{}", left.unwrap_or_default())
}

fn list(json: bool) -> Result<Exit> {
    let row = |experiment: &Experiment| {
        let cost = (experiment.cost)();
        ExperimentView {
            name: experiment.name,
            what: experiment.title,
            runs: cost.runs,
            cpu_seconds: cost.cpu_seconds,
            quick_cpu_seconds: cost.quick_cpu_seconds,
        }
    };
    let rows: Vec<ExperimentView> = EXPERIMENTS.iter().map(row).collect();
    if json {
        print_json(&rows)?;
        return Ok(Exit::Success);
    }
    print(format_args!("{:<8} {:>6} {:>9} {:>9}  what", "name", "runs", "CPU time", "--quick"))?;
    for ExperimentView { name, what, runs, cpu_seconds, quick_cpu_seconds } in rows {
        let (whole, quick) = (time(cpu_seconds), time(quick_cpu_seconds));
        print(format_args!("{name:<8} {runs:>6} {whole:>9} {quick:>9}  {what}"))?;
    }
    print("\nCPU times are estimates for a core of 2.8 GHz; all cores are used.")?;
    print("`morpion experiment NAME` runs one; `morpion experiment NAME --help` has its options.")?;
    Ok(Exit::Success)
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 5400.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 90.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} s", s.max(1.0)),
    }
}
