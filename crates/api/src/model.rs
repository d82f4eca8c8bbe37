//! A model of a small formula, by unit propagation and branching (Davis, Logemann and Loveland
//! 1962).

use ::reduce::Formula;

/// A literal for each variable that satisfies all clauses; `None` if there is none.
///
/// For formulas of the size that is drawn on a page: the time is exponential at worst.
#[must_use]
pub fn find_model(formula: &Formula) -> Option<Vec<i32>> {
    let clauses: Vec<Vec<i32>> = formula
        .clauses()
        .iter()
        .map(|clause| clause.iter().map(|l| l.number()).collect())
        .collect();
    let variables = formula.variables() as usize;
    let values = extend(&clauses, vec![None; variables + 1])?;
    let literal = |variable: usize| {
        let number = variable as i32;
        if values[variable] == Some(false) { -number } else { number }
    };
    Some((1..=variables).map(literal).collect())
}

/// The values, by variable, extended to all clauses.
fn extend(clauses: &[Vec<i32>], mut values: Vec<Option<bool>>) -> Option<Vec<Option<bool>>> {
    loop {
        let (mut unit, mut open) = (None, None);
        for clause in clauses {
            let value = |literal: i32| {
                values[literal.unsigned_abs() as usize].map(|value| value == (literal > 0))
            };
            if clause.iter().any(|&literal| value(literal) == Some(true)) {
                continue;
            }
            let mut free = clause.iter().copied().filter(|&literal| value(literal).is_none());
            match (free.next(), free.next()) {
                (None, _) => return None,
                (Some(literal), None) => unit = Some(literal),
                (Some(literal), Some(_)) => open = Some(literal),
            }
        }
        match (unit, open) {
            (Some(literal), _) => {
                values[literal.unsigned_abs() as usize] = Some(literal > 0);
            }
            (None, None) => return Some(values),
            (None, Some(literal)) => {
                let tried = |value: bool| {
                    let mut values = values.clone();
                    values[literal.unsigned_abs() as usize] = Some(value);
                    extend(clauses, values)
                };
                return tried(literal > 0).or_else(|| tried(literal < 0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn formula(clauses: &[Vec<i32>], variables: usize) -> Formula {
        let mut text = format!("p cnf {variables} {}\n", clauses.len());
        for clause in clauses {
            let words: Vec<String> = clause.iter().map(ToString::to_string).collect();
            text.push_str(&format!("{} 0\n", words.join(" ")));
        }
        Formula::read(text.as_bytes()).expect("DIMACS")
    }

    fn satisfies(clauses: &[Vec<i32>], model: &[i32]) -> bool {
        clauses.iter().all(|clause| clause.iter().any(|literal| model.contains(literal)))
    }

    proptest! {
        #[test]
        fn a_model_is_found_exactly_if_there_is_one(
            clauses in prop::collection::vec(
                prop::collection::btree_set((1..6i32, any::<bool>()), 1..4), 0..14)
        ) {
            let clauses: Vec<Vec<i32>> = clauses
                .iter()
                .map(|clause| {
                    let mut seen: Vec<i32> = Vec::new();
                    for &(variable, positive) in clause {
                        let literal = if positive { variable } else { -variable };
                        if !seen.contains(&-literal) { seen.push(literal); }
                    }
                    seen
                })
                .collect();
            let exists = (0..32u32).any(|bits| {
                let value = |v: i32| if bits >> (v - 1) & 1 == 1 { v } else { -v };
                satisfies(&clauses, &(1..6).map(value).collect::<Vec<_>>())
            });
            let found = find_model(&formula(&clauses, 5));
            prop_assert_eq!(found.is_some(), exists);
            if let Some(model) = found {
                prop_assert!(satisfies(&clauses, &model));
            }
        }
    }
}
