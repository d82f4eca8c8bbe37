/** English. */

const moves = (/** @type {number} */ n) => (n === 1 ? 'move' : 'moves');
const kinds = { T: 'touching', D: 'disjoint' };

/** @type {Record<string, any>} */
export const texts = {
  'page-play': 'Play', 'page-check': 'Check', 'page-hunt': 'Hunt', 'page-gallery': 'Gallery', 'page-limits': 'Limits', 'page-reduce': 'Reduce', 'page-learn': 'Learn',
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
  'bound-says': (/** @type {number} */ n) => `No game has more than ${n}, by counting.`, 'proven-says': (/** @type {number} */ n) => `No game has more than ${n}; the page Limits has the proof.`,
  curve: 'Possible moves along the game', 'moves-axis': 'moves',
  'own-start': (/** @type {string} */ rules, /** @type {number} */ dots) => `${rules} from ${dots} dots of your own`,
  'choose-line': 'Which line?', 'way-E': 'Across', 'way-S': 'Down', 'way-SE': 'Diagonal, falling', 'way-NE': 'Diagonal, rising',
  'from-dot': (/** @type {number} */ x, /** @type {number} */ y) => `from (${x}, ${y})`,
  hint: 'Hint', finish: 'Finish it for me', searching: 'Searching …',
  'hint-says': (/** @type {number} */ n) => `The circled dot can lead to ${n} ${moves(n)} at least.`,
  finished: (/** @type {number} */ n) => `Finished: ${n} ${moves(n)}. Your own game is still there: go back as far as you like.`,
  'nothing-left': 'No move is left.', 'no-line': 'No line can be drawn with a new dot there.',
  share: 'Share or save', 'make-link': 'A link that contains the game', link: 'Link', 'link-copied': 'The link is copied.',
  'bad-link': (/** @type {string} */ why) => `The address holds no game that can be played. ${why}`,
  'over-kept': 'The game is over and kept in the archive.', 'saved-as': 'Kept in the archive.', 'draft-saved': 'Saved as you play. Unfinished games wait in the', 'save-archive': 'Keep in the archive',
  keys: 'Keys', 'key-arrows': '← → ↑ ↓', 'key-arrows-does': 'point at a dot', 'key-enter': 'Enter', 'key-enter-does': 'play there', 'key-next': 'N, P', 'key-next-does': 'next or previous possible dot',
  'key-undo': 'U, Ctrl+Z', 'key-undo-does': 'back', 'key-redo': 'R, Ctrl+Y', 'key-redo-does': 'forward', 'key-legal': 'L', 'key-legal-does': 'possible moves', 'key-hint': 'H', 'key-hint-does': 'hint',
  'draw-start-says': 'Tap points to place dots, tap again to take them away. Any dots will do.', dots: (/** @type {number} */ n) => `${n} dots`, 'take-cross': 'Begin with the usual cross', begin: 'Begin',
  'say-score': (/** @type {number} */ score, /** @type {number} */ left) => `${score} ${moves(score)}, ${left} possible`,
  'say-over': (/** @type {number} */ score) => `${score} ${moves(score)}, none possible`,
  'say-choose': (/** @type {number} */ n) => `${n} lines to choose from`,
  'say-point': (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ n) => `${x}, ${y}: ${n ? `${n} ${n === 1 ? 'line' : 'lines'}` : 'no line'}`,

  'check-title': 'Is this game legal?',
  'check-says': 'The judge replays every move. It reads Pentasol, MSR, JSON, plain text, and the SVG and PNG pictures made here. For a grid from paper it finds an order in which the lines can be drawn, or says which are stuck.',
  'paste-here': 'Paste a game, or drop a file here', 'or-file': 'Or choose a file', 'if-unsaid': 'If the file does not say which game', guess: 'Guess', 'check-now': 'Check', 'draw-lines': 'Draw the lines instead',
  'draw-says': (/** @type {number} */ n) => `Tap both ends of each line of ${n} dots, in any order.`, 'find-order': (/** @type {number} */ n) => `Find an order for ${n} ${n === 1 ? 'line' : 'lines'}`,
  judging: 'The judge is at work …', 'no-verdict': 'The verdict appears here.', 'file-too-large': 'The file is larger than 8 MB; `morpion verify` takes larger ones.',
  'verdict-legal': 'Legal', 'verdict-ordered': 'The lines can be played', 'verdict-refused': 'Not legal', 'verdict-stuck': 'Some lines can never be played',
  'legal-says': (/** @type {string} */ game, /** @type {number} */ n, /** @type {number} */ left) => `${game}, ${n} ${moves(n)}, ${left ? `${left} more possible` : 'none left'}.`,
  guessed: (/** @type {string} */ game) => `The file does not say which game: taken as ${game}.`, 'other-order': 'In another order, its lines could be played.', 'format-is': (/** @type {string} */ name) => `Read as ${name}.`,
  'stuck-line': (/** @type {number} */ n) => `Line ${n}:`, 'stuck-missing': (/** @type {string} */ dots) => `${dots} missing`, 'stuck-full': 'all its dots are there, so it adds none', 'go-on-playing': 'Go on playing from here',

  'replay-says': (/** @type {number} */ at, /** @type {number} */ all) => `The game after ${at} of ${all} moves`, play: 'Play', pause: 'Pause', 'move-number': 'Move', pace: 'Pace', 'per-second': (/** @type {number} */ n) => `${n} moves a second`,

  'hunt-title': 'Hunt for long games', 'hunt-says': 'Searches run on this machine while you look on. The judge replays what they find.',
  'wish-method': 'Method', 'wish-seconds': 'Seconds', 'wish-threads': 'Threads', 'wish-seed': 'Seed', 'wish-target': 'Stop at this many moves', 'until-stopped': 'until stopped', drawn: 'drawn', 'more-settings': 'More settings',
  'from-mine': (/** @type {string} */ rules, /** @type {number} */ n) => `Begin with my game on the Play page (${rules}, ${n} ${moves(n)})`,
  'hunt-start': 'Start', 'hunt-stop': 'Stop', 'hunt-resume': 'Go on', 'hunt-forget': 'Forget', 'hunt-play': 'Open in Play', 'no-hunts': 'No hunt yet. 5D comes to 80 moves within seconds.',
  'board-word': 'Board', 'hunt-lasts': 'It can go on, even after the server was stopped.', 'hunt-ends': 'It can go on while this server runs.', 'status-running': 'running', 'status-stopped': 'stopped', 'status-done': 'done', 'status-failed': 'failed', 'per-second-word': 'per second', 'of-seconds': (/** @type {string} */ n) => `of ${n} s`, 'no-limit': 'no limit',
  'best-game': (/** @type {number} */ n) => `The best game so far, ${n} ${moves(n)}`, 'score-time': 'Moves against time', 'seed-threads': (/** @type {number} */ seed, /** @type {number} */ n) => `seed ${seed}, ${n} ${n === 1 ? 'thread' : 'threads'}`,

  'gallery-title': 'Games that the judge has accepted', 'gallery-says': 'What hunts have found and players have kept, the longest first.',
  'no-archive': 'This server keeps no archive.', 'no-games': 'No game here yet. Start a hunt, or keep a game of your own.', 'filter-game': 'Game', 'all-games': 'all', 'filter-least': 'At least so many moves', 'filter-method': 'Found by', 'more-games': 'More', back: 'Back to all games',
  'drafts-title': 'Unfinished games', 'drafts-says': 'Saved while they are played; the last 64. A game that is over is kept above.',
  'found-by': (/** @type {string} */ how) => `found by ${how}`, 'by-hand': 'played by hand',

  'limits-title': 'How long can a game be?', 'limits-says': 'The longest games in print, and what no game can exceed. A proof here is a file that the judge, a small program of its own, goes through in whole numbers; let it do so now if you like.',
  'longer-lines': 'With longer lines every game from the cross has twelve moves, as with six.',
  'dots-word': 'Dots', longest: 'Longest known', 'at-most': 'At most', room: 'Reached', proof: 'Proof', endless: 'endless', exact: 'exact', 'by-proof': 'by a proof that comes along', 'by-formula': (/** @type {string} */ by) => `by ${by}`,
  'formula-says': (/** @type {number} */ n, /** @type {string} */ by) => `By ${by} alone: ${n}.`, 'argument-only': 'the argument is the proof', 'check-it': 'Check it now', 'proven-in': (/** @type {string} */ s) => `proven, ${s} s`,

  'reduce-title': 'Why the game is hard', 'reduce-says': 'A 3-SAT formula becomes a pattern of dots from which a long game exists exactly if the formula can be satisfied (Demaine, Demaine, Langerman and Langerman 2006). The proof is made anew for every pattern.',
  formula: 'Formula (DIMACS)', 'make-pattern': 'Make the pattern', working: 'Working …', 'no-pattern': 'Make the pattern to choose a model and play its game.', 'pattern-picture': (/** @type {number} */ n) => `The pattern, ${n} dots, its gadgets in colours`,
  model: 'A model', 'model-says': 'Choose what is true, and play the game that says so.', variable: (/** @type {number} */ n, /** @type {boolean} */ yes) => `x${n} is ${yes ? 'true' : 'false'}`, 'play-model': 'Play this model',
  'model-reaches': (/** @type {number} */ n, /** @type {number} */ needed) => `${n} moves, and ${needed} are needed: the model satisfies the formula.`, 'model-fails': (/** @type {number} */ n, /** @type {number} */ needed) => `${n} moves of the ${needed} that are needed: a clause is false.`,

  'learn-title': 'Players that learn by themselves', 'learn-says': 'A network plays games, each is ranked among the recent ones, and the network learns from those that did well. The trainings that the server was told of are shown here as they go on.',
  'no-trainings': 'No training yet. Begin one, and tell the server where it is:', iterations: (/** @type {number} */ n) => (n === 1 ? 'iteration' : 'iterations'), 'mean-word': 'mean of self-play', 'best-word': 'best game', 'threshold-word': 'threshold', 'learning-curve': 'Moves against iterations',
  'policy-loss': 'loss of the policy', 'value-loss': 'loss of the value', losses: 'Losses against iterations', parameters: 'Parameters', ago: (/** @type {number} */ s) => (s < 120 ? `changed ${s} s ago` : s < 7200 ? `changed ${Math.round(s / 60)} min ago` : s < 172800 ? `changed ${Math.round(s / 3600)} h ago` : `changed ${Math.round(s / 86400)} days ago`),

  'board-title': 'A board and its linear program', 'board-about': 'If all dots lie on a board, a linear program bounds the number of moves. The darker, the more of a dot or line is in its solution; the judge proves the bound in whole numbers.',
  'board-solve': 'Solve', 'board-proven': (/** @type {string} */ claim, /** @type {string} */ value) => `${claim}, proven; value ${value}`, 'board-picture': 'The solution in shades',
  'runs-title': 'Runs', 'run-name': 'Plan', 'run-state': 'State', 'run-done': 'Done', 'run-open': 'Open', 'run-failed': 'Failed', 'run-best': 'Best', 'run-running': 'running', 'run-stopped': 'stopped', 'run-over': 'over', 'run-mishaps': (/** @type {number} */ n) => `What went wrong (${n})`,
};

/** The server speaks English. @type {Record<string, string>} */
export const said = {};
