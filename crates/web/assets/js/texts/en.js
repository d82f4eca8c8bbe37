/** English. */

const moves = (/** @type {number} */ n) => (n === 1 ? 'move' : 'moves');
const kinds = { T: 'touching', D: 'disjoint' };

/** @type {Record<string, any>} */
export const texts = {
  'page-play': 'Play', 'page-check': 'Verify', 'page-hunt': 'Search', 'page-gallery': 'Gallery', 'page-limits': 'Bounds', 'page-reduce': 'Reduce', 'page-learn': 'Learn',
  pages: 'Pages', language: 'Passer au français', close: 'Close', loading: 'Loading …', cancel: 'Cancel', none: 'none',
  theme: (/** @type {string} */ now) => `Colours: ${now}`, 'theme-auto': 'as the system', 'theme-light': 'light', 'theme-dark': 'dark',
  'game-name': (/** @type {string} */ name) => `${name} · lines of ${name.slice(0, -1)}, ${kinds[/** @type {'T'} */ (name.slice(-1))]}`,

  board: 'Board', game: 'Game', rules: 'Rules', 'new-game': 'New game', 'draw-start': 'Draw a start',
  'board-says': (/** @type {string} */ rules, /** @type {number} */ score, /** @type {number} */ left) => `Board of ${rules}, ${score} ${moves(score)} played, ${left} possible. Arrow keys point, Enter plays.`,
  'moves-tools': 'Moves', undo: 'Back', redo: 'Forward', 'undo-all': 'Back to the start', 'redo-all': 'Forward to the end',
  branch: (/** @type {number} */ index, /** @type {number} */ count) => `branch ${index} of ${count}`, 'branch-before': 'The branch before', 'branch-after': 'The branch after',
  'show-legal': 'Possible moves', 'show-numbers': 'Numbers',
  'moves-word': moves, left: (/** @type {number} */ n) => `${n} possible`, over: 'none possible: the game is over',
  'in-print': (/** @type {number} */ n, /** @type {string} */ by) => `The longest known game has ${n} ${moves(n)} (${by}).`,
  'bound-says': (/** @type {number} */ n) => `No game has more than ${n}, by counting.`, 'proven-says': (/** @type {number} */ n) => `No game has more than ${n}; see the proof on the Bounds page.`,
  curve: 'Possible moves along the game', 'moves-axis': 'moves',
  'own-start': (/** @type {string} */ rules, /** @type {number} */ dots) => `${rules} from ${dots} dots of your own`,
  'choose-line': 'Which line?', 'way-E': 'Across', 'way-S': 'Down', 'way-SE': 'Diagonal, falling', 'way-NE': 'Diagonal, rising',
  'from-dot': (/** @type {number} */ x, /** @type {number} */ y) => `from (${x}, ${y})`,
  hint: 'Hint', finish: 'Finish it for me', searching: 'Searching …',
  'hint-says': (/** @type {number} */ n) => `The circled dot can lead to ${n} ${moves(n)} at least.`,
  finished: (/** @type {number} */ n) => `Finished: ${n} ${moves(n)}. Your own game is still there: step back to it at any time.`,
  'nothing-left': 'No legal moves remain.', 'no-line': 'No line can be drawn with a new dot there.',
  share: 'Share or save', 'make-link': 'A link that contains the game', link: 'Link', 'link-copied': 'The link is copied.',
  'bad-link': (/** @type {string} */ why) => `The address holds no playable game. ${why}`,
  'over-kept': 'The game is over and saved in the archive.', 'saved-as': 'Saved in the archive.', 'draft-saved': 'Saved as you play. Unfinished games wait in the', 'save-archive': 'Save in the archive',
  keys: 'Keys', 'key-arrows': '← → ↑ ↓', 'key-arrows-does': 'point at a dot', 'key-enter': 'Enter', 'key-enter-does': 'play there', 'key-next': 'N, P', 'key-next-does': 'next or previous possible dot',
  'key-undo': 'U, Ctrl+Z', 'key-undo-does': 'back', 'key-redo': 'R, Ctrl+Y', 'key-redo-does': 'forward', 'key-legal': 'L', 'key-legal-does': 'possible moves', 'key-hint': 'H', 'key-hint-does': 'hint',
  'draw-start-says': 'Tap points to place dots, tap again to take them away. Any dots will do.', dots: (/** @type {number} */ n) => `${n} dots`, 'take-cross': 'Start with the usual cross', begin: 'Start',
  'say-score': (/** @type {number} */ score, /** @type {number} */ left) => `${score} ${moves(score)}, ${left} possible`,
  'say-over': (/** @type {number} */ score) => `${score} ${moves(score)}, none possible`,
  'say-choose': (/** @type {number} */ n) => `${n} lines to choose from`,
  'say-point': (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ n) => `${x}, ${y}: ${n ? `${n} ${n === 1 ? 'line' : 'lines'}` : 'no line'}`,

  'check-title': 'Is this game legal?',
  'check-says': 'The verifier replays every move. It reads Pentasol, MSR, JSON, plain text, and the SVG and PNG pictures made here. For a grid from paper it finds an order in which the lines can be drawn, or lists the lines that are stuck.',
  'paste-here': 'Paste a game, or drop a file here', 'or-file': 'Or choose a file', 'if-unsaid': 'Game, if the file does not name it', guess: 'Guess', 'check-now': 'Verify', 'draw-lines': 'Draw the lines instead',
  'draw-says': (/** @type {number} */ n) => `Tap both ends of each line of ${n} dots, in any order.`, 'find-order': (/** @type {number} */ n) => `Find an order for ${n} ${n === 1 ? 'line' : 'lines'}`,
  judging: 'Verifying …', 'no-verdict': 'The verdict appears here.', 'file-too-large': 'The file is larger than 8 MB; `morpion verify` takes larger ones.',
  'verdict-legal': 'Legal', 'verdict-ordered': 'The lines can be played', 'verdict-refused': 'Not legal', 'verdict-stuck': 'Some lines can never be played',
  'legal-says': (/** @type {string} */ game, /** @type {number} */ n, /** @type {number} */ left) => `${game}, ${n} ${moves(n)}, ${left ? `${left} legal ${moves(left)} remain${left === 1 ? 's' : ''}` : 'no legal moves remain'}.`,
  guessed: (/** @type {string} */ game) => `The file does not name the game; read as ${game}.`, 'other-order': 'In another order, its lines could be played.', 'format-is': (/** @type {string} */ name) => `Read as ${name}.`,
  'stuck-line': (/** @type {number} */ n) => `Line ${n}:`, 'stuck-missing': (/** @type {string} */ dots) => `${dots} missing`, 'stuck-full': 'all its dots are there, so it adds none', 'go-on-playing': 'Continue playing from here',

  'replay-says': (/** @type {number} */ at, /** @type {number} */ all) => `The game after ${at} of ${all} moves`, play: 'Play', pause: 'Pause', 'move-number': 'Move', pace: 'Pace', 'per-second': (/** @type {number} */ n) => `${n} moves a second`,

  'hunt-title': 'Search for long games', 'hunt-says': 'Searches run on this machine. Every game found is verified.',
  'wish-method': 'Method', 'wish-seconds': 'Seconds', 'wish-threads': 'Threads', 'wish-seed': 'Seed', 'wish-target': 'Stop at this many moves', 'until-stopped': 'until stopped', drawn: 'random', 'more-settings': 'More settings',
  'from-mine': (/** @type {string} */ rules, /** @type {number} */ n) => `Start from my game on the Play page (${rules}, ${n} ${moves(n)})`,
  'hunt-start': 'Start', 'hunt-stop': 'Stop', 'hunt-resume': 'Resume', 'hunt-forget': 'Forget', 'hunt-play': 'Open in Play', 'no-hunts': 'No search yet. 5D reaches 80 moves within seconds.',
  'board-word': 'Board', 'hunt-lasts': 'It can be resumed, even after the server was stopped.', 'hunt-ends': 'It can be resumed while this server runs.', 'status-running': 'running', 'status-stopped': 'stopped', 'status-done': 'done', 'status-failed': 'failed', 'per-second-word': 'per second', 'of-seconds': (/** @type {string} */ n) => `of ${n} s`, 'no-limit': 'no limit',
  'best-game': (/** @type {number} */ n) => `The best game so far, ${n} ${moves(n)}`, 'score-time': 'Moves against time', 'seed-threads': (/** @type {number} */ seed, /** @type {number} */ n) => `seed ${seed}, ${n} ${n === 1 ? 'thread' : 'threads'}`,

  'gallery-title': 'Verified games', 'gallery-says': 'Games found by searches or saved by players, the longest first.',
  'no-archive': 'This server has no archive.', 'no-games': 'No games yet. Start a search, or save a game of your own.', 'filter-game': 'Game', 'all-games': 'all', 'filter-least': 'Minimum moves', 'filter-method': 'Found by', 'more-games': 'More', back: 'Back to all games',
  'drafts-title': 'Unfinished games', 'drafts-says': 'Saved while they are played; the last 64. Finished games are listed above.',
  'found-by': (/** @type {string} */ how) => `found by ${how}`, 'by-hand': 'played by hand',

  'limits-title': 'How long can a game be?', 'limits-says': 'The longest published games, and upper bounds for all games. A proof is a file that a small independent program verifies in integer arithmetic; verify it now if you like.',
  'longer-lines': 'With longer lines every game from the cross has twelve moves, as with six.',
  'dots-word': 'Dots', longest: 'Longest known', 'at-most': 'At most', room: 'Reached', proof: 'Proof', endless: 'endless', exact: 'exact', 'by-proof': 'by a shipped proof', 'by-formula': (/** @type {string} */ by) => `by ${by}`,
  'formula-says': (/** @type {number} */ n, /** @type {string} */ by) => `By ${by} alone: ${n}.`, 'argument-only': 'the argument is the proof', 'check-it': 'Verify now', 'proven-in': (/** @type {string} */ s) => `proven, ${s} s`,

  'reduce-title': 'Why the game is hard', 'reduce-says': 'A 3-SAT formula becomes a pattern of dots from which a long game exists if and only if the formula is satisfiable (Demaine, Demaine, Langerman and Langerman 2006). Every pattern comes with its own proof.',
  formula: 'Formula (DIMACS)', 'make-pattern': 'Make the pattern', working: 'Working …', 'no-pattern': 'Make the pattern to choose a model and play its game.', 'pattern-picture': (/** @type {number} */ n) => `The pattern, ${n} dots, its gadgets in colours`,
  model: 'A model', 'model-says': 'Choose what is true, and play the game that says so.', variable: (/** @type {number} */ n, /** @type {boolean} */ yes) => `x${n} is ${yes ? 'true' : 'false'}`, 'play-model': 'Play this model',
  'model-reaches': (/** @type {number} */ n, /** @type {number} */ needed) => `${n} moves (threshold ${needed}): the model satisfies the formula.`, 'model-fails': (/** @type {number} */ n, /** @type {number} */ needed) => `${n} moves, below the threshold ${needed}: a clause is false.`,

  'learn-title': 'Learning by self-play', 'learn-says': 'A network plays games, each is ranked among recent ones, and the network learns from the good ones. Training runs appear here while they progress.',
  'no-trainings': 'No training run yet. Start one, and pass its folder to the server:', iterations: (/** @type {number} */ n) => (n === 1 ? 'iteration' : 'iterations'), 'mean-word': 'mean of self-play', 'best-word': 'best game', 'threshold-word': 'threshold', 'learning-curve': 'Moves against iterations',
  'policy-loss': 'policy loss', 'value-loss': 'value loss', losses: 'Losses against iterations', parameters: 'Parameters', ago: (/** @type {number} */ s) => (s < 120 ? `changed ${s} s ago` : s < 7200 ? `changed ${Math.round(s / 60)} min ago` : s < 172800 ? `changed ${Math.round(s / 3600)} h ago` : `changed ${Math.round(s / 86400)} days ago`),

  'board-title': 'A board and its linear program', 'board-about': 'If all dots lie on a board, a linear program bounds the number of moves. The darker a dot or line, the larger its share in the solution. The bound is verified in integer arithmetic.',
  'board-solve': 'Solve', 'board-proven': (/** @type {string} */ claim, /** @type {string} */ value) => `${claim}, proven; value ${value}`, 'board-picture': 'The fractional solution',
  'runs-title': 'Runs', 'run-name': 'Plan', 'run-state': 'State', 'run-done': 'Done', 'run-open': 'Open', 'run-failed': 'Failed', 'run-best': 'Best', 'run-running': 'running', 'run-stopped': 'stopped', 'run-over': 'over', 'run-interrupted': 'interrupted', 'run-mishaps': (/** @type {number} */ n) => `Failures (${n})`,
};

/** The server speaks English. @type {Record<string, string>} */
export const said = {};
