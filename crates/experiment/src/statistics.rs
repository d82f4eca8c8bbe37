//! Means, standard errors, and the test of a published mean against ours.

/// The mean and spread of some scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSummary {
    /// How many scores.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their sample standard deviation; unknown for fewer than two.
    pub deviation: Option<f64>,
    /// The lowest.
    pub min: u64,
    /// The highest.
    pub max: u64,
}

impl ScoreSummary {
    /// The summary of at least one score.
    pub fn new(numbers: impl IntoIterator<Item = u64>) -> Option<Self> {
        let numbers: Vec<u64> = numbers.into_iter().collect();
        let (&min, &max) = (numbers.iter().min()?, numbers.iter().max()?);
        let count = numbers.len();
        let mean = numbers.iter().sum::<u64>() as f64 / count as f64;
        let squares: f64 = numbers.iter().map(|&x| (x as f64 - mean).powi(2)).sum();
        let deviation = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        Some(Self { count, mean, deviation, min, max })
    }

    /// The standard error of the mean.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        self.deviation.map(|deviation| deviation / (self.count as f64).sqrt())
    }

    /// Half the width of the confidence interval of the mean (Student).
    #[must_use]
    pub fn half_width(&self, confidence: f64) -> Option<f64> {
        let freedom = (self.count.checked_sub(1)?) as f64;
        Some(self.error()? * student_quantile(confidence, freedom))
    }
}

/// The mean of some numbers.
#[must_use]
pub(crate) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// Half the width of the confidence interval of the mean of some numbers (Student); unknown for
/// fewer than two.
#[must_use]
pub(crate) fn half_width(numbers: &[f64], confidence: f64) -> Option<f64> {
    let mean = mean(numbers)?;
    let freedom = numbers.len().checked_sub(1).filter(|&freedom| freedom > 0)? as f64;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    let error = (squares / freedom / numbers.len() as f64).sqrt();
    Some(error * student_quantile(confidence, freedom))
}

/// The confidence interval of the mean of a Poisson distribution of which `count` was observed,
/// exact (Garwood 1936).
#[must_use]
pub(crate) fn poisson_interval(count: usize, confidence: f64) -> (f64, f64) {
    let tail = (1.0 - confidence) / 2.0;
    // The probability of at most `count` events falls as the mean grows.
    let mean_at = |count: usize, probability: f64| {
        let (mut low, mut high) = (0.0, 2.0 * count as f64 + 50.0);
        for _ in 0..100 {
            let mean = (low + high) / 2.0;
            if poisson_at_most(count, mean) > probability {
                low = mean;
            } else {
                high = mean;
            }
        }
        (low + high) / 2.0
    };
    let low = count.checked_sub(1).map_or(0.0, |fewer| mean_at(fewer, 1.0 - tail));
    (low, mean_at(count, tail))
}

/// The probability of at most `count` events of a Poisson distribution.
fn poisson_at_most(count: usize, mean: f64) -> f64 {
    let mut logarithm = -mean;
    let mut sum = logarithm.exp();
    for number in 1..=count {
        logarithm += (mean / number as f64).ln();
        sum += logarithm.exp();
    }
    sum
}

/// A published mean: rounded, without a standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedMean {
    /// The mean as printed.
    pub mean: f64,
    /// The number of runs.
    pub count: usize,
    /// The largest rounding error.
    pub rounding: f64,
}

/// Whether two means agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// The difference is not significant, and one that matters would be.
    Agrees,
    /// The difference is significant.
    Differs,
    /// The difference is not significant, but there are too few runs to see one that matters.
    CannotTell,
}

impl Agreement {
    /// In words, for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::CannotTell => "cannot tell",
        }
    }
}

/// The result of a significance test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TestResult {
    /// Whether the means agree.
    pub agreement: Agreement,
    /// The p-value.
    pub p: f64,
}

/// The significance level of every test.
pub(crate) const LEVEL: f64 = 0.01;

/// Tests a published mean against ours: Student's t-test with our variance for both.
///
/// If both programs sample the same distribution, the difference of the means has variance
/// s²/n + s²/m, and s is known from our n runs with n - 1 degrees of freedom. The rounding error
/// is subtracted from the difference. Integers with a mean of 34.8 cannot all be equal, so s² is
/// at least what the published mean requires, which matters if all of our runs have the same score.
///
/// A difference of one standard deviation matters: where the runs are too few for it to be
/// significant, as five are beside twenty, the test cannot tell.
///
/// `None` with a single run of ours, which has no variance.
#[must_use]
pub(crate) fn compare(ours: &ScoreSummary, theirs: PublishedMean) -> Option<TestResult> {
    let part = theirs.mean - theirs.mean.floor();
    let count = theirs.count as f64;
    let least = if theirs.count > 1 { part * (1.0 - part) * count / (count - 1.0) } else { 0.0 };
    let variance = ours.deviation?.powi(2).max(least);
    let error = (variance / ours.count as f64 + variance / count).sqrt();
    let difference = ((ours.mean - theirs.mean).abs() - theirs.rounding).max(0.0);
    let freedom = (ours.count - 1) as f64;
    let p = t_test(difference, error, freedom);
    let visible =
        student_quantile(1.0 - LEVEL, freedom) * (1.0 / ours.count as f64 + 1.0 / count).sqrt();
    let agreement = match p < LEVEL {
        true => Agreement::Differs,
        false if visible > 1.0 => Agreement::CannotTell,
        false => Agreement::Agrees,
    };
    Some(TestResult { agreement, p })
}

/// Whether the first mean is significantly lower than the second (Welch, one-sided).
///
/// `None` if either has no variance.
#[must_use]
pub(crate) fn is_lower(first: &ScoreSummary, second: &ScoreSummary) -> Option<bool> {
    let part = |summary: &ScoreSummary| Some(summary.error()?.powi(2));
    let (one, two) = (part(first)?, part(second)?);
    let weight = |part: f64, summary: &ScoreSummary| part * part / (summary.count - 1) as f64;
    let weights = weight(one, first) + weight(two, second);
    let freedom = if weights > 0.0 {
        (one + two).powi(2) / weights
    } else {
        (first.count + second.count - 2) as f64
    };
    let difference = (second.mean - first.mean).max(0.0);
    // Half of the two tails lies on this side.
    Some(t_test(difference, (one + two).sqrt(), freedom) / 2.0 < LEVEL)
}

/// The two-sided p-value of a difference with this standard error.
fn t_test(difference: f64, error: f64, freedom: f64) -> f64 {
    match (difference > 0.0, error > 0.0) {
        (false, _) => 1.0,
        (true, false) => 0.0,
        (true, true) => student_tails(difference / error, freedom),
    }
}

/// The two-sided p-value of Student's t.
#[must_use]
pub(crate) fn student_tails(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The two-sided quantile of Student's t: |t| is at most this with probability `confidence`.
#[must_use]
pub(crate) fn student_quantile(confidence: f64, freedom: f64) -> f64 {
    let outside = 1.0 - confidence;
    let (mut low, mut high) = (0.0, 1.0);
    while student_tails(high, freedom) > outside && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if student_tails(middle, freedom) > outside { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun
/// 26.5.8) with Lentz's algorithm.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast on this side only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front = a * x.ln() + b * (1.0 - x).ln() + log_gamma(a + b) - log_gamma(a) - log_gamma(b);
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d, mut fraction) = (1.0, 0.0, 1.0);
    for step in 0..1000 {
        let m = f64::from(step / 2);
        let term = if step == 0 {
            1.0
        } else if step % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        d = 1.0 / away_from_zero(1.0 + term * d);
        c = away_from_zero(1.0 + term / c);
        fraction *= c * d;
        if (1.0 - c * d).abs() < 1e-15 {
            break;
        }
    }
    (front.exp() * (fraction - 1.0) / a).clamp(0.0, 1.0)
}

/// The logarithm of the gamma function of a positive number, by Stirling's series.
fn log_gamma(x: f64) -> f64 {
    if x < 15.0 {
        return log_gamma(x + 1.0) - x.ln();
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_counts_are_those_of_the_tables() {
        let rounded = |(low, high): (f64, f64)| [low, high].map(|it| (it * 1e3).round() / 1e3);
        assert_eq!(rounded(poisson_interval(0, 0.95)), [0.0, 3.689]);
        assert_eq!(rounded(poisson_interval(1, 0.95)), [0.025, 5.572]);
        assert_eq!(rounded(poisson_interval(10, 0.95)), [4.795, 18.39]);
        let (low, high) = poisson_interval(1000, 0.95);
        assert!((938.0..940.0).contains(&low) && (1063.0..1065.0).contains(&high), "{low} {high}");
    }

    fn near(one: f64, other: f64, margin: f64) {
        assert!((one - other).abs() < margin, "{one} is not {other}");
    }

    #[test]
    fn a_summary_agrees_with_a_calculation_by_hand() {
        // Mean 5; squares 9 1 1 1 0 0 4 16 = 32; 32 / 7.
        let summary = ScoreSummary::new([2, 4, 4, 4, 5, 5, 7, 9]).expect("numbers");
        assert_eq!((summary.count, summary.mean, summary.min, summary.max), (8, 5.0, 2, 9));
        near(summary.deviation.expect("a deviation"), (32.0f64 / 7.0).sqrt(), 1e-12);
        near(summary.error().expect("an error"), (4.0f64 / 7.0).sqrt(), 1e-12);
        assert_eq!(ScoreSummary::new([]), None);
        assert_eq!(ScoreSummary::new([3]).expect("a number").deviation, None);
    }

    #[test]
    fn students_t_agrees_with_published_tables() {
        for (confidence, freedom, t) in [
            (0.95, 1.0, 12.706),
            (0.95, 4.0, 2.776),
            (0.95, 19.0, 2.093),
            (0.99, 19.0, 2.861),
            (0.99, 38.0, 2.712),
            (0.99, 1000.0, 2.581),
        ] {
            near(student_quantile(confidence, freedom), t, 6e-4);
            near(student_tails(t, freedom), 1.0 - confidence, 5e-5);
        }
        // With one degree of freedom it is Cauchy's distribution, with two it is algebraic.
        near(student_tails(1.0, 1.0), 0.5, 1e-10);
        near(student_tails(1.0, 2.0), 1.0 - 1.0 / 3.0f64.sqrt(), 1e-10);
    }

    #[test]
    fn a_published_mean_is_tested_with_our_variance() {
        // Ours: 20 runs, mean 60, s = sqrt(20/19); error sqrt(2 s²/20) = 0.32444.
        let ours = ScoreSummary::new([59, 61].repeat(10)).expect("numbers");
        let theirs = |mean| PublishedMean { mean, count: 20, rounding: 0.05 };
        // t = 0.95 / 0.32444 = 2.928 > 2.861, but 0.85 / 0.32444 = 2.62.
        let far = compare(&ours, theirs(61.0)).expect("a result");
        assert!(far.agreement == Agreement::Differs && far.p < 0.01, "{far:?}");
        near(far.p, student_tails(0.95 / 0.324_443, 19.0), 1e-6);
        let near_enough = compare(&ours, theirs(60.9)).expect("a result");
        assert_eq!(near_enough.agreement, Agreement::Agrees);
        assert_eq!(compare(&ours, theirs(60.0)).expect("a result").p, 1.0);
        assert_eq!(compare(&ScoreSummary::new([60]).expect("a number"), theirs(60.0)), None);
    }

    #[test]
    fn equal_scores_do_not_prove_a_difference() {
        // A mean of 34.8 of 20 integers needs a variance of at least 0.16 * 20 / 19.
        let ours = ScoreSummary::new([35; 20]).expect("numbers");
        let close = compare(&ours, PublishedMean { mean: 34.8, count: 20, rounding: 0.05 });
        assert_eq!(close.expect("a result").agreement, Agreement::Agrees);
        let far = compare(&ours, PublishedMean { mean: 33.8, count: 20, rounding: 0.05 });
        assert_eq!(far.expect("a result").agreement, Agreement::Differs);
        let other = compare(&ours, PublishedMean { mean: 34.0, count: 20, rounding: 0.05 });
        assert_eq!(other.expect("a result").p, 0.0);
    }

    #[test]
    fn lower_means_significantly_lower() {
        let high = ScoreSummary::new([59, 61].repeat(10)).expect("numbers");
        let low = ScoreSummary::new([57, 59].repeat(10)).expect("numbers");
        assert_eq!(is_lower(&low, &high), Some(true));
        assert_eq!(is_lower(&high, &low), Some(false));
        assert_eq!(is_lower(&low, &ScoreSummary::new([60]).expect("a number")), None);
    }

    #[test]
    fn five_runs_cannot_tell_and_twenty_can() {
        let theirs = PublishedMean { mean: 60.0, count: 20, rounding: 0.05 };
        let verdict = |scores: Vec<u64>| {
            let ours = ScoreSummary::new(scores).expect("numbers");
            compare(&ours, theirs).expect("a result").agreement
        };
        assert_eq!(verdict([59, 61].repeat(10)), Agreement::Agrees);
        assert_eq!(verdict(vec![59, 60, 61, 59, 61]), Agreement::CannotTell);
        assert_eq!(verdict(vec![70, 70, 71, 71, 70]), Agreement::Differs);
    }
}
