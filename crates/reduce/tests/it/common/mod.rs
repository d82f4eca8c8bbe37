//! What the tests share: chance, formulas, a SAT solver, the judge.

pub(crate) mod games;

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use geometry::{Game, Move, Rules};
use record::Record;
use reduce::{Assignment, Formula, Literal, Pattern};

/// Chance from a seed (splitmix64).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// A number from 0 to `bound - 1`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// A random formula of so many variables and clauses.
    pub(crate) fn formula(&mut self, variables: usize, clauses: usize) -> Formula {
        let clauses: Vec<Vec<i32>> = (0..clauses).map(|_| self.clause(variables)).collect();
        formula(variables as u32, &clauses)
    }

    /// A random clause of up to three literals over so many variables; it may repeat itself.
    pub(crate) fn clause(&mut self, variables: usize) -> Vec<i32> {
        let width = [1, 2, 3, 3, 3, 3][self.below(6)];
        let mut literal = || {
            let variable = 1 + self.below(variables) as i32;
            if self.below(2) == 0 { variable } else { -variable }
        };
        (0..width).map(|_| literal()).collect()
    }
}

/// The formula of these clauses.
pub(crate) fn formula(variables: u32, clauses: &[Vec<i32>]) -> Formula {
    let literals = |clause: &Vec<i32>| -> Vec<Literal> {
        clause.iter().map(|&number| Literal::new(number).expect("not 0")).collect()
    };
    Formula::new(variables, clauses.iter().map(literals).collect()).expect("small")
}

/// The pattern of a formula for lines of 5.
pub(crate) fn compile(formula: &Formula) -> Pattern {
    compile_for(5, formula)
}

/// The pattern of a formula for lines of this length.
pub(crate) fn compile_for(length: usize, formula: &Formula) -> Pattern {
    let compiled = Pattern::compile(formula.clone(), length, 1.0, &mut |_| ());
    compiled.unwrap_or_else(|error| panic!("{length}: {formula}: {error}"))
}

/// What a SAT solver says: a model, or that there is none.
pub(crate) fn solve(formula: &Formula) -> Option<Assignment> {
    let mut solver = BasicSolver::default();
    let variables: Vec<_> = (0..formula.variables()).map(|_| solver.new_var_default()).collect();
    let mut possible = true;
    for clause in formula.clauses() {
        let of = |l: &Literal| Lit::new(variables[l.variable() as usize - 1], l.is_positive());
        possible &= solver.add_clause_reuse(&mut clause.iter().map(of).collect());
    }
    if !possible || solver.solve_limited(&[]) != lbool::TRUE {
        return None;
    }
    let mut model = Assignment::unknown(formula.variables());
    for (number, &variable) in (1..).zip(&variables) {
        let is_true = solver.value_var(variable) == lbool::TRUE;
        model.set(Literal::new(if is_true { number } else { -number }).expect("not 0"));
    }
    Some(model)
}

/// All models of so many variables.
pub(crate) fn all_models(variables: u32) -> impl Iterator<Item = Assignment> {
    (0..1_u32 << variables).map(move |bits| {
        let mut model = Assignment::unknown(variables);
        for variable in 0..variables as i32 {
            let number = if bits >> variable & 1 == 1 { variable + 1 } else { -variable - 1 };
            model.set(Literal::new(number).expect("not 0"));
        }
        model
    })
}

/// Has the judge go through a game from a pattern; gives its number of moves.
pub(crate) fn judged(pattern: &Pattern, rules: Rules, moves: &[Move]) -> usize {
    let game = Game { rules, start: pattern.start().clone() };
    let record = Record::from_moves(game, moves.to_vec());
    let verdict = verify::verify_game(&record.to_json());
    verdict.unwrap_or_else(|refusal| panic!("{refusal}")).score() as usize
}
