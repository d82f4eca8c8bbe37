//! Layers: forward to an answer, backward to the gradient of every weight.
//!
//! All weights of a network lie in one list; a layer knows where its own are. What a layer must
//! remember for the backward pass is a [`Trace`].

use std::ops::Range;

use rand::Rng as _;
use search::Rng;

use crate::tensor::{Tensor, add_columns, add_product, view};

/// One step of a network.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Layer {
    /// Each place from itself and its eight neighbours.
    Convolution(Weights),
    /// Each row from itself alone: of a grid a place, else a whole position.
    Dense(Weights),
    /// What is negative becomes 0.
    Rectify,
    /// Dropout: while learning, numbers become 0 with this probability, and the others are scaled
    /// up.
    Dropout(f32),
    /// All places of a board in one row.
    Flatten,
    /// The mean of each channel over all places of a board, in one row.
    Pool,
    /// Adds what these layers make of the input to the input.
    Residual(Vec<Layer>),
}

/// Where the weights of a layer are: first the matrices, then a bias for each output.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weights {
    pub(crate) first: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// How many places an output is made from: 1 or 9.
    pub(crate) places: usize,
}

impl Weights {
    /// How many numbers an output is made from.
    pub(crate) fn fan_in(&self) -> usize {
        self.places * self.inputs
    }

    pub(crate) fn matrices(&self) -> Range<usize> {
        self.first..self.first + self.fan_in() * self.outputs
    }

    pub(crate) fn biases(&self) -> Range<usize> {
        let end = self.matrices().end;
        end..end + self.outputs
    }

    /// One of the three matrices of a convolution: the places of one row of the board, from left to
    /// right.
    fn third(&self, number: usize) -> Range<usize> {
        let size = self.fan_in() / 3 * self.outputs;
        let first = self.first + number * size;
        first..first + size
    }
}

impl Weights {
    /// Every output of every row: its bias and the sum over all inputs of the neighbouring places
    /// on the board.
    fn apply_plainly(&self, weights: &[f32], numbers: &Tensor) -> Tensor {
        let mut out = Tensor::zeros(numbers.images, self.outputs, numbers.grid);
        let (matrices, biases) = (&weights[self.matrices()], &weights[self.biases()]);
        let side = numbers.grid.map_or(1, |grid| grid.side as isize);
        let reach = if self.places == 9 { 1 } else { 0 };
        let row = |y: isize, x: isize| (y * (side + 1) + x) as usize;
        for (image, y, x) in (0..numbers.images)
            .flat_map(|image| (0..side).map(move |y| (image, y)))
            .flat_map(|(image, y)| (0..side).map(move |x| (image, y, x)))
        {
            for output in 0..self.outputs {
                let mut sum = biases[output];
                let around =
                    (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dy, dx)));
                for (place, (dy, dx)) in around.enumerate() {
                    let (y, x) = (y + dy, x + dx);
                    if (0..side).contains(&y) && (0..side).contains(&x) {
                        let at = numbers.at(image, row(y, x));
                        for input in 0..self.inputs {
                            let weight =
                                matrices[(place * self.inputs + input) * self.outputs + output];
                            sum += numbers.data[at + input] * weight;
                        }
                    }
                }
                let at = out.at(image, row(y, x));
                out.data[at + output] = sum;
            }
        }
        out
    }

    /// The backward pass of a convolution.
    fn convolution_backward(
        &self,
        weights: &[f32],
        encoded: &Tensor,
        gradient: &Tensor,
        sums: &mut [f32],
    ) -> Tensor {
        add_columns(&mut sums[self.biases()], &gradient.matrix());
        let mut before = Tensor::zeros(encoded.images, self.inputs, encoded.grid);
        for third in 0..3 {
            let (rows, outputs) = (3 * self.inputs, self.outputs);
            let own_sums = &mut sums[self.third(third)];
            let mut own_sums = ndarray::ArrayViewMut2::from_shape((rows, outputs), own_sums)
                .expect("as many numbers as places for them");
            let windows = encoded.windows(third as isize - 1);
            add_product(&mut own_sums, &windows.t(), &gradient.matrix());
        }
        // A place has had its part in the place above through the weights for below: the
        // same sum with the nine matrices turned round.
        for third in 0..3 {
            let turned = turned(self, weights, 2 - third);
            let matrix = view(&turned, 3 * self.outputs, self.inputs);
            let windows = gradient.windows(third as isize - 1);
            add_product(&mut before.matrix_mut(), &windows, &matrix);
        }
        before.clear_beyond();
        before
    }

    /// The backward pass of a dense layer.
    fn dense_backward(
        &self,
        weights: &[f32],
        encoded: &Tensor,
        gradient: &Tensor,
        sums: &mut [f32],
    ) -> Tensor {
        add_columns(&mut sums[self.biases()], &gradient.matrix());
        let own_sums = &mut sums[self.matrices()];
        let mut own_sums =
            ndarray::ArrayViewMut2::from_shape((self.inputs, self.outputs), own_sums)
                .expect("as many numbers as places for them");
        add_product(&mut own_sums, &encoded.matrix().t(), &gradient.matrix());
        let mut before = Tensor::zeros(encoded.images, self.inputs, encoded.grid);
        let matrix = view(&weights[self.matrices()], self.inputs, self.outputs);
        add_product(&mut before.matrix_mut(), &gradient.matrix(), &matrix.t());
        before.clear_beyond();
        before
    }
}

/// What a layer has to remember.
#[derive(Debug)]
pub(crate) enum Trace {
    /// What came in, or for [`Layer::Rectify`] what went out.
    EncodedPosition(Tensor),
    /// What each number was multiplied with.
    Factors(Vec<f32>),
    /// How the numbers were arranged: nothing but the shape.
    Shape(Option<crate::tensor::Grid>, usize),
    /// The traces of layers inside.
    Inside(Vec<Trace>),
    /// Nothing.
    Nothing,
}

/// Passes numbers through layers. With `traces`, remembers what the backward pass needs; dropout
/// happens only with a generator.
pub(crate) fn forward(
    layers: &[Layer],
    weights: &[f32],
    mut numbers: Tensor,
    mut traces: Option<&mut Vec<Trace>>,
    mut rng: Option<&mut Rng>,
) -> Tensor {
    for layer in layers {
        let mut trace = traces.as_ref().map(|_| Trace::Nothing);
        numbers = layer.forward(weights, numbers, trace.as_mut(), rng.as_deref_mut());
        if let (Some(traces), Some(trace)) = (traces.as_deref_mut(), trace) {
            traces.push(trace);
        }
    }
    numbers
}

/// Passes a gradient back through layers, adds up that of the weights, and gives back that of what
/// came in.
pub(crate) fn backward(
    layers: &[Layer],
    weights: &[f32],
    traces: Vec<Trace>,
    mut gradient: Tensor,
    sums: &mut [f32],
) -> Tensor {
    for (layer, trace) in layers.iter().zip(traces).rev() {
        gradient = layer.backward(weights, trace, gradient, sums);
    }
    gradient
}

/// [`forward`] as it is defined, sum by sum. The reference for the fast one, and slow.
pub(crate) fn forward_plainly(layers: &[Layer], weights: &[f32], mut numbers: Tensor) -> Tensor {
    for layer in layers {
        numbers = match layer {
            Layer::Convolution(own) | Layer::Dense(own) => own.apply_plainly(weights, &numbers),
            Layer::Residual(layers) => {
                let mut out = forward_plainly(layers, weights, numbers.clone());
                add(&mut out, &numbers);
                out
            }
            layer => layer.forward(weights, numbers, None, None),
        };
    }
    numbers
}

impl Layer {
    fn forward(
        &self,
        weights: &[f32],
        mut numbers: Tensor,
        trace: Option<&mut Trace>,
        rng: Option<&mut Rng>,
    ) -> Tensor {
        match self {
            Self::Convolution(own) => {
                let mut out = with_biases(own, weights, &numbers);
                for third in 0..3 {
                    let windows = numbers.windows(third as isize - 1);
                    let matrix = view(&weights[own.third(third)], 3 * own.inputs, own.outputs);
                    add_product(&mut out.matrix_mut(), &windows, &matrix);
                }
                out.clear_beyond();
                remember(trace, || Trace::EncodedPosition(numbers));
                out
            }
            Self::Dense(own) => {
                let mut out = with_biases(own, weights, &numbers);
                let matrix = view(&weights[own.matrices()], own.inputs, own.outputs);
                add_product(&mut out.matrix_mut(), &numbers.matrix(), &matrix);
                out.clear_beyond();
                remember(trace, || Trace::EncodedPosition(numbers));
                out
            }
            Self::Rectify => {
                for number in &mut numbers.data {
                    *number = number.max(0.0);
                }
                remember(trace, || Trace::EncodedPosition(numbers.clone()));
                numbers
            }
            Self::Dropout(share) => {
                let Some(rng) = rng else { return numbers };
                let kept = 1.0 / (1.0 - share);
                let limit = (f64::from(*share) * 4_294_967_296.0) as u64;
                let draw = |_: &f32| if u64::from(rng.next_u32()) < limit { 0.0 } else { kept };
                let factors: Vec<f32> = numbers.data.iter().map(draw).collect();
                multiply(&mut numbers, &factors);
                remember(trace, || Trace::Factors(factors));
                numbers
            }
            Self::Flatten => {
                let grid = numbers.grid.expect("a grid comes before");
                let channels = numbers.channels;
                let mut out = Tensor::zeros(numbers.images, grid.side * grid.side * channels, None);
                for image in 0..numbers.images {
                    for (number, row) in grid.places().enumerate() {
                        let (from, to) = (numbers.at(image, row), out.at(image, 0));
                        out.data[to + number * channels..][..channels]
                            .copy_from_slice(&numbers.data[from..from + channels]);
                    }
                }
                remember(trace, || Trace::Shape(numbers.grid, channels));
                out
            }
            Self::Pool => {
                let grid = numbers.grid.expect("a grid comes before");
                let channels = numbers.channels;
                let mut out = Tensor::zeros(numbers.images, channels, None);
                for image in 0..numbers.images {
                    let (from, to) = (numbers.at(image, 0), out.at(image, 0));
                    let rows = view(&numbers.data[from..], grid.rows(), channels);
                    add_columns(&mut out.data[to..to + channels], &rows);
                }
                let mean = 1.0 / (grid.side * grid.side) as f32;
                out.data.iter_mut().for_each(|number| *number *= mean);
                remember(trace, || Trace::Shape(numbers.grid, channels));
                out
            }
            Self::Residual(layers) => {
                let mut inside = trace.as_ref().map(|_| Vec::new());
                let mut out = forward(layers, weights, numbers.clone(), inside.as_mut(), rng);
                add(&mut out, &numbers);
                remember(trace, || Trace::Inside(inside.unwrap_or_default()));
                out
            }
        }
    }

    fn backward(
        &self,
        weights: &[f32],
        trace: Trace,
        mut gradient: Tensor,
        sums: &mut [f32],
    ) -> Tensor {
        match (self, trace) {
            (Self::Convolution(own), Trace::EncodedPosition(encoded)) => {
                own.convolution_backward(weights, &encoded, &gradient, sums)
            }
            (Self::Dense(own), Trace::EncodedPosition(encoded)) => {
                own.dense_backward(weights, &encoded, &gradient, sums)
            }
            (Self::Rectify, Trace::EncodedPosition(encoded)) => {
                for (number, &went_out) in gradient.data.iter_mut().zip(&encoded.data) {
                    *number = if went_out > 0.0 { *number } else { 0.0 };
                }
                gradient
            }
            (Self::Dropout(_), Trace::Factors(factors)) => {
                multiply(&mut gradient, &factors);
                gradient
            }
            (Self::Flatten, Trace::Shape(Some(grid), channels)) => {
                let mut before = Tensor::zeros(gradient.images, channels, Some(grid));
                for image in 0..gradient.images {
                    for (number, row) in grid.places().enumerate() {
                        let (from, to) = (gradient.at(image, 0), before.at(image, row));
                        before.data[to..to + channels].copy_from_slice(
                            &gradient.data[from + number * channels..][..channels],
                        );
                    }
                }
                before
            }
            (Self::Pool, Trace::Shape(Some(grid), channels)) => {
                let mut before = Tensor::zeros(gradient.images, channels, Some(grid));
                let mean = 1.0 / (grid.side * grid.side) as f32;
                for image in 0..gradient.images {
                    for row in grid.places() {
                        let (from, to) = (gradient.at(image, 0), before.at(image, row));
                        for channel in 0..channels {
                            before.data[to + channel] = mean * gradient.data[from + channel];
                        }
                    }
                }
                before
            }
            (Self::Residual(layers), Trace::Inside(traces)) => {
                let mut before = backward(layers, weights, traces, gradient.clone(), sums);
                add(&mut before, &gradient);
                before
            }
            (_, Trace::Nothing) => gradient,
            (layer, trace) => unreachable!("{layer:?} does not remember {trace:?}"),
        }
    }
}

fn remember(trace: Option<&mut Trace>, what: impl FnOnce() -> Trace) {
    if let Some(trace) = trace {
        *trace = what();
    }
}

/// What comes out of weights: their biases so far.
fn with_biases(own: &Weights, weights: &[f32], numbers: &Tensor) -> Tensor {
    debug_assert_eq!(own.inputs, numbers.channels);
    let mut out = Tensor::zeros(numbers.images, own.outputs, numbers.grid);
    let biases = &weights[own.biases()];
    let (rows, first) = out.body();
    for row in out.data[first * own.outputs..].chunks_exact_mut(own.outputs).take(rows) {
        row.copy_from_slice(biases);
    }
    out
}

/// One third of a convolution for the backward pass: the places from right to left, outputs to
/// inputs.
fn turned(own: &Weights, weights: &[f32], third: usize) -> Vec<f32> {
    let (inputs, outputs) = (own.inputs, own.outputs);
    let matrix = &weights[own.third(third)];
    let mut turned = vec![0.0; matrix.len()];
    for place in 0..3 {
        for input in 0..inputs {
            for output in 0..outputs {
                turned[((2 - place) * outputs + output) * inputs + input] =
                    matrix[(place * inputs + input) * outputs + output];
            }
        }
    }
    turned
}

fn multiply(numbers: &mut Tensor, factors: &[f32]) {
    for (number, factor) in numbers.data.iter_mut().zip(factors) {
        *number *= factor;
    }
}

fn add(numbers: &mut Tensor, others: &Tensor) {
    for (number, other) in numbers.data.iter_mut().zip(&others.data) {
        *number += other;
    }
}
