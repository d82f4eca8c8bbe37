/** The words that the scripts share, as types. */

/** @typedef {[number, number]} Dot x and y; y grows down */
/** @typedef {'E'|'S'|'SE'|'NE'} Direction */
/** @typedef {[Dot, Direction]} Line the first dot and the direction */
/** @typedef {{new: Dot, line: Line}} Move */
/** @typedef {'cross'|Dot[]} Start */
/** @typedef {{rules: string, start: Start, moves: Move[], provenance?: Record<string, unknown>}} GameRecord */

/**
 * @typedef {object} Position
 * @property {string} game
 * @property {number} length how many dots a line has
 * @property {Dot[]} start
 * @property {number} score
 * @property {Move[]} legal
 * @property {number[]} counts how many moves were legal before each move, and now
 */

/** @typedef {'mine'|'search'|'imported'} Source who played a move */

/**
 * What a board draws.
 * @typedef {object} Picture
 * @property {Dot[]} start
 * @property {Move[]} moves
 * @property {number} length
 * @property {Move[]} [legal] moves that can be played
 * @property {boolean} [showLegal]
 * @property {boolean} [numbers]
 * @property {Line[]} [lines] lines of a drawing, without an order
 * @property {Set<number>} [stuck] lines that no order reaches, from 0
 * @property {Dot[]} [missing] dots that are not there
 * @property {number} [bad] the number of a faulty move, from 1
 * @property {Move|null} [hint]
 * @property {Map<string, string>} [tints] colours of dots, as variables of the style sheet, by `x,y`
 * @property {{at: Dot, text: string}[]} [labels]
 * @property {boolean} [lit] the lines step back, so that tints stand out
 * @property {boolean} [free] a start that is being drawn
 * @property {Move[]} [coming] moves still to be played, for the frame
 */

export {};
