//! A 3-SAT formula as a dot pattern.

use api::reduction::{play, read, start_record};
use api::view::{GameModelView, ReductionView};
use pyo3::prelude::*;
use reduce::{Assignment, Formula, Pattern};

use crate::error;
use crate::questions::json;
use crate::record::Record;
use crate::wait::wait_or_leave;

/// A formula as a certified pattern of dots: a game of `threshold` moves exists if and only if the
/// formula is satisfiable.
#[pyclass(frozen, module = "morpion._core", subclass)]
pub(crate) struct Reduction(Pattern);

#[pymethods]
impl Reduction {
    #[new]
    fn new(py: Python<'_>, dimacs: &[u8], length: usize, gap: f64) -> PyResult<Self> {
        let formula = Formula::read(dimacs).map_err(|fault| error::formula(&fault))?;
        let compile = move || Pattern::compile(formula, length, gap, &mut |_| ());
        let pattern = wait_or_leave(py, compile)?;
        pattern.map(Self).map_err(|fault| error::formula(&fault))
    }

    /// The numbers of the pattern, as JSON.
    fn view(&self) -> String {
        json(&ReductionView::new(&self.0))
    }

    /// A model of the formula, if one was found.
    fn find_model(&self) -> Option<Vec<i32>> {
        api::find_model(self.0.formula())
    }

    /// The dots as a game without moves.
    fn record(&self) -> Record {
        Record(start_record(&self.0))
    }

    /// The game of a model, which is a literal for each variable.
    fn play(&self, model: Vec<i32>) -> PyResult<Record> {
        let model = Assignment::from_numbers(&model, self.0.formula().variables())
            .map_err(|fault| error::formula(&fault))?;
        let game = play(&self.0, &model).map_err(|fault| error::formula(&fault))?;
        Ok(Record(game.record))
    }

    /// The model of a game, as JSON.
    fn read(&self, record: &Record) -> PyResult<String> {
        let game = read(&self.0, &record.0).map_err(|fault| error::formula(&fault))?;
        Ok(json(&GameModelView::new(&game)))
    }

    /// The pattern as SVG.
    fn _repr_svg_(&self) -> String {
        api::figure::pattern_figure(&self.0, render::Theme::Light)
    }
}
