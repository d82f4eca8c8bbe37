/** English. */

/** @typedef {number} N */
/** @typedef {string} S */

const moves = (/** @type {N} */ n) => (n === 1 ? 'move' : 'moves');
const kinds = { T: 'touching', D: 'disjoint' };
const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const word = (/** @type {N} */ n) => words[n] ?? String(n);

/** @type {Record<string, any>} */
export const texts = {
  'page-play': 'Play', 'page-records': 'Records', 'page-search': 'Search', 'page-proofs': 'Proofs', 'page-hard': 'Why it is hard',
  pages: 'Pages', skip: 'Skip to the content', language: 'Passer au français', close: 'Close', cancel: 'Cancel', none: 'none', game: 'Game', working: 'Working …', colon: ': ', more: 'More',
  theme: (/** @type {S} */ now) => `Colours: ${now}`, 'theme-auto': 'as the system', 'theme-light': 'light', 'theme-dark': 'dark',
  'game-name': (/** @type {S} */ name) => `${name} · lines of ${name.slice(0, -1)}, ${kinds[/** @type {'T'} */ (name.slice(-1))]}`,
  offline: 'The server does not answer. Your game is kept in this browser.', 'offline-local': 'The server does not answer. You can go on playing; nothing is lost.', retry: 'Try again',
  'drop-here': 'Drop it: any game, link or picture', 'file-too-large': (/** @type {N} */ most, /** @type {S} */ file) => `The file is larger than ${most} MB; on the command line: morpion verify ${file}`,

  'play-title': (/** @type {S} */ rules) => `Morpion Solitaire ${rules}`, board: 'Board', 'about-game': 'The game',
  'board-says': (/** @type {S} */ rules, /** @type {N} */ score, /** @type {N} */ left) => `Board of ${rules}, ${score} ${moves(score)} played, ${left} possible. N goes to the next possible dot, Tab to another line, Enter draws.`,
  'tip-first': (/** @type {N} */ n) => `Choose a green dot to complete a line of ${word(n)}`,
  'tip-choose': (/** @type {N} */ n) => `${word(n)} lines here: move a little to choose, click to draw`.replace(/^./, (c) => c.toUpperCase()),
  'tip-release': 'Slide to choose, release to draw', 'tip-draw': 'Click to draw this line',
  'tip-fan': (/** @type {N} */ n) => `${word(n)} lines here: tap the one to draw`.replace(/^./, (c) => c.toUpperCase()),
  'tip-keys': (/** @type {N} */ n) => (n > 1 ? `${word(n)} lines here: Tab to choose, Enter to draw`.replace(/^./, (c) => c.toUpperCase()) : 'Enter to draw this line'), 'lines-here': (/** @type {N} */ n) => `${n} lines here, Tab for the next`,
  'miss-dot': 'There is a dot already', 'miss-none': 'A line can be drawn here',
  'miss-few': (/** @type {N} */ dots, /** @type {N} */ needed) => `${word(dots)} ${dots === 1 ? 'dot' : 'dots'} in line here, ${word(needed)} needed`.replace(/^./, (c) => c.toUpperCase()),
  'miss-overlap': 'That line would overlap another',
  'moves-word': moves, left: (/** @type {N} */ n) => `${n} possible`, 'none-possible': 'none possible', reach: (/** @type {N} */ n) => `${n} or more in reach`,
  over: (/** @type {N} */ n) => `The game is over: ${n} ${moves(n)}`, 'over-kept': (/** @type {N} */ n) => `The game is over: ${n} ${moves(n)}. It is in the archive.`,
  'party-record': (/** @type {N} */ n) => `${n} moves: a new record!`, 'party-best': (/** @type {N} */ n) => `${n} moves: your best game so far!`,
  'party-equal': (/** @type {N} */ n) => `${n} moves: as long as the record!`, 'party-proven': (/** @type {N} */ n) => `${n} moves: the proven maximum, nobody can make more!`,
  'say-score': (/** @type {N} */ score, /** @type {N} */ left) => `${score} ${moves(score)}, ${left} possible`, 'say-over': (/** @type {N} */ score) => `${score} ${moves(score)}, none possible`,
  undo: 'Back', redo: 'Forward', replay: 'Replay', pause: 'Pause', fit: 'Show all', 'move-number': 'Move',
  'moves-title': 'Moves', by: (/** @type {N} */ mine, /** @type {N} */ search, /** @type {N} */ imported) => [mine && `${mine} yours`, search && `${search} search`, imported && `${imported} imported`].filter(Boolean).join(' · '),
  'by-mine': 'your move', 'by-search': 'by a search', 'by-imported': 'imported', 'branch-says': (/** @type {N} */ n) => `Branch of ${n} ${moves(n)}`,
  hint: 'Hint', finish: 'Let it finish', searching: 'Searching …', 'hint-says': (/** @type {N} */ n) => `The circled dot leads to ${n} ${moves(n)} or more.`, 'nothing-left': 'No move is possible.',
  finished: (/** @type {N} */ n) => `The search finished it: ${n} ${moves(n)}.`, 'back-to': (/** @type {N} */ n) => `Back to move ${n}`,
  stopped: (/** @type {N} */ n) => `The search stopped at ${n} moves; more are possible.`, 'stopped-endless': (/** @type {N} */ n, /** @type {S} */ rules) => `The search stopped at ${n} moves. A game of ${rules} need never end.`,
  share: 'Share', embed: 'Embed', print: 'Print', keep: 'Keep', kept: 'Kept in the archive.', 'kept-before': 'It was in the archive already.', 'link-copied': (/** @type {N} */ n) => `The link is copied: ${n} letters that hold the whole game.`, 'no-link': 'Too large for a link; save it as JSON.',
  'new-game': 'New game', 'new-game-says': 'A new game.', 'undo-new': 'Go back', 'draw-start': 'Draw a start', 'take-back': (/** @type {N} */ n) => `Take back ${n}`,
  'show-legal': 'Possible moves', 'show-numbers': 'Numbers', 'save-as': 'Save as', 'print-sheets': 'Sheets to print', 'print-empty': 'Empty cross', 'print-puzzle': 'Find the last 20',
  'drop-says': 'Drop or paste a game anywhere: JSON, Pentasol, MSR, text, our links and pictures.', 'open-file': 'Open a file', 'typed-sample': 'Typed games look like “5T / 3,0 7,0”: the game, then a line by its ends.',
  'legal-list': (/** @type {N} */ n) => `Possible moves (${n})`, 'move-says': (/** @type {N} */ x, /** @type {N} */ y, /** @type {S} */ glyph, /** @type {N} */ a, /** @type {N} */ b, /** @type {N} */ c, /** @type {N} */ d) => `Dot (${x}, ${y}) ${glyph} line (${a}, ${b}) to (${c}, ${d})`,
  'open-here': 'Play on from here', 'own-start': (/** @type {S} */ rules, /** @type {N} */ dots) => `${rules} from ${dots} dots of your own`,
  'keep-says': 'Put this game into the archive', 'record-rung': (/** @type {N} */ n, /** @type {S} */ who) => `The record: ${n} moves, ${who}`, 'ours-title': 'This program', 'replay-ours': (/** @type {N} */ n) => `${n}, replay it`,
  ours: 'this program', 'your-best': 'your best', 'next-rung': (/** @type {N} */ n, /** @type {N} */ at, /** @type {S} */ who) => `${n} more to reach ${at} (${who})`, 'top-rung': 'Nobody is known to have come this far.',
  'proven-bound': 'proven: nobody can', 'formula-bound': 'by counting: nobody can', 'endless-says': 'proven: it need never end', 'see-proof': 'why',
  'bad-link': (/** @type {S} */ why) => `This address holds no game: ${why}`,
  'draw-start-says': 'Tap points to place dots, tap again to take them away.', dots: (/** @type {N} */ n) => `${n} dots`, 'take-cross': 'Usual cross', begin: 'Start',
  'verdict-legal': 'Legal', 'verdict-ordered': 'These lines can be played', 'verdict-refused': 'Not legal', 'verdict-stuck': 'Some lines can never be played', 'take-order': 'Take that order',
  'legal-says': (/** @type {S} */ game, /** @type {N} */ n, /** @type {N} */ left) => `${game}, ${n} ${moves(n)}, ${left ? `${left} possible` : 'none possible'}.`, guessed: (/** @type {S} */ game) => `The file does not name the game; read as ${game}.`,
  help: 'Help', 'how-to': 'How to play', 'how-to-says': (/** @type {S} */ rules, /** @type {N} */ n) => `Draw lines of ${word(n)} dots across, down or diagonally. ${word(n - 1).replace(/^./, (c) => c.toUpperCase())} dots must be there; you add one more. ${rules.endsWith('T') ? 'Lines in the same direction may touch at an end' : 'Lines in the same direction may not even touch at an end'} (${rules}). Make as many moves as you can.`,
  'how-to-choose': 'Where several lines go through a dot, move the pointer a little, use the wheel, or press, slide and release on a touch screen.',
  'key-arrows': '← →', 'key-arrows-does': 'back and forward', 'key-branch': '↑ ↓', 'key-branch-does': 'another branch', 'key-next': 'N, P', 'key-next-does': 'next or previous possible dot', 'key-cycle': 'Tab, wheel', 'key-cycle-does': 'another line through the dot', 'key-enter': 'Enter', 'key-enter-does': 'draw the line',
  'key-ends': 'Home, End', 'key-ends-does': 'first or last move', 'key-zoom': '+ − 0', 'key-zoom-does': 'zoom, show all', 'key-legal': 'L', 'key-legal-does': 'possible moves', 'key-hint': 'H', 'key-hint-does': 'hint', 'key-help': '?', 'key-help-does': 'this help', about: 'Every game kept is verified by an independent program.',
  'sheet-empty': (/** @type {S} */ rules) => `Morpion Solitaire ${rules}`, 'sheet-game': (/** @type {S} */ rules, /** @type {N} */ n) => `Morpion Solitaire ${rules}: ${n} ${moves(n)}`, 'sheet-puzzle': (/** @type {S} */ rules, /** @type {N} */ n, /** @type {N} */ rest) => `${rules}, after ${n} ${moves(n)}: find the last ${rest}`,
  'sheet-rules': (/** @type {N} */ n) => `Draw lines of ${n} dots; ${n - 1} must be there, you add one.`, 'sheet-puzzle-says': (/** @type {N} */ n) => `From here ${n} more moves are possible. Find them.`,

  'records-title': 'Records', 'records-says': 'The longest games known, and ours to replay. Open one, take back forty moves, and try.', 'found-by-whom': 'Found by', year: 'Year', 'our-games': 'Games of this program',
  'drafts-title': 'Games not in the archive', forget: 'Forget', 'drafts-others': (/** @type {N} */ n) => `Show ${n} of other browsers`, 'show-all': (/** @type {N} */ n) => `Show all ${n}`, 'forget-all': 'Forget all', 'forget-says': (/** @type {N} */ n) => (n === 1 ? 'Forget this game? It cannot be brought back.' : `Forget ${n} games? They cannot be brought back.`), 'archive-title': 'Archive', 'archive-says': 'Verified games of searches and players, the longest first.', 'no-archive': 'This server has no archive.', 'no-games': 'No games yet. Start a search, or keep a game of your own.',
  'all-games': 'all', 'filter-least': 'Minimum moves', 'filter-method': 'Found by', 'no-match': 'No game matches.', 'more-games': 'More', 'found-by': (/** @type {S} */ how) => `found by ${how}`, 'by-unknown': 'origin unknown', 'by-parts': (/** @type {N} */ mine, /** @type {N} */ search, /** @type {N} */ imported) => (search + imported === 0 ? 'played by hand' : mine + imported === 0 ? 'found by a search' : mine + search === 0 ? 'imported' : [mine && `${mine} by hand`, search && `${search} by a search`, imported && `${imported} imported`].filter(Boolean).join(', ')),
  'runs-title': 'Runs', 'run-name': 'Plan', 'run-state': 'State', 'run-done': 'Done', 'run-open': 'Open', 'run-failed': 'Failed', 'run-best': 'Best', 'run-running': 'running', 'run-stopped': 'stopped', 'run-over': 'over', 'run-interrupted': 'interrupted', 'run-mishaps': (/** @type {N} */ n) => `Failures (${n})`,

  'search-title': 'Search for long games', 'search-says': 'Searches run on this machine. Every game found is verified and kept.', 'search-says-here': 'The search runs in this page, as long as it is open.',
  'improve-title': 'Improve this game', 'improve-says': (/** @type {S} */ rules, /** @type {N} */ n) => `Your game on the Play page: ${rules}, ${n} ${moves(n)}. The search keeps its first moves and looks for a longer rest.`, 'improve-none': 'You have not played yet; the search begins from the cross.', 'keep-first': (/** @type {N} */ n, /** @type {N} */ all) => `Keep the first ${n} of ${all} moves`, improve: 'Improve', 'search-new': 'Search',
  'new-search': 'A new game', 'wish-method': 'Method', 'wish-seconds': 'Seconds', 'wish-threads': 'Threads', 'wish-seed': 'Seed', 'wish-target': 'Stop at this many moves', 'until-stopped': 'until stopped', random: 'random', expert: 'Expert: method and parameters',
  'hunt-start': 'Start', 'hunt-stop': 'Stop', 'hunt-resume': 'Resume', 'hunt-forget': 'Forget', 'hunt-play': 'Open in Play', 'hunt-save': 'Save', 'no-hunts': 'No search yet. 5D reaches 80 moves within seconds.', 'as-command': 'The same on the command line', 'hunt-from': (/** @type {N} */ n, /** @type {N|undefined} */ all) => `Improves a game: from ${n}${all ? ` of ${all}` : ''} ${moves(all ?? n)}`, 'game-json': 'game.json is the game that is improved, saved as JSON on the Play page.', copy: 'Copy', copied: 'Copied.',
  'status-running': 'running', 'status-stopped': 'stopped', 'status-done': 'done', 'status-failed': 'failed', 'per-second-word': 'per second', 'of-seconds': (/** @type {S} */ n) => `of ${n} s`, 'no-limit': 'no limit', 'score-time': 'Moves against time', 'record-line': (/** @type {N} */ n) => `dashed: the record, ${n}`,
  'learn-title': 'Learning by self-play', 'learn-says': 'A network plays games and learns from the good ones. Training runs appear here while they progress.', 'no-trainings': 'No training run yet. A small network takes an hour or two to play well.', 'training-start': 'Start training', iterations: (/** @type {N} */ n) => (n === 1 ? 'iteration' : 'iterations'),
  'mean-word': 'mean of self-play', 'best-word': 'best game', 'threshold-word': 'threshold', 'learning-curve': 'Moves against iterations', 'policy-loss': 'policy loss', 'value-loss': 'value loss', losses: 'Losses against iterations', parameters: 'Parameters',
  ago: (/** @type {N} */ s) => (s < 120 ? `changed ${s} s ago` : s < 7200 ? `changed ${Math.round(s / 60)} min ago` : s < 172800 ? `changed ${Math.round(s / 3600)} h ago` : `changed ${Math.round(s / 86400)} days ago`),

  'proofs-title': 'How long can a game be?', 'proofs-says': 'Our best game, the record, and the bounds that no game passes. A proof is a file that a small independent program verifies in integers; verify it now, or take it with you.', verifying: 'Verifying …', 'proof-proven': (/** @type {S} */ claim) => `Proven: ${claim}`, 'proof-refused': 'Not a proof that holds', 'verify-own': 'Verify a proof of your own', 'verify-own-says': (/** @type {N} */ most) => `Drop or open a proof, compressed or not, up to ${most} MB.`, 'in-seconds': (/** @type {S} */ s) => `in ${s} s`,
  'our-best': 'our best', published: 'published bound', certified: 'certified', exact: 'exact', 'is-exact': (/** @type {S} */ game, /** @type {N} */ n) => `${game} = ${n}: a game of ${n} moves is known, and none is longer.`, 'is-open': (/** @type {N} */ a, /** @type {N} */ b) => `The longest game known has ${a} moves. Certified here: at most ${b}.`, 'published-says': (/** @type {N} */ n, /** @type {S} */ by, /** @type {boolean} */ bare) => `Published: at most ${n}${bare ? ', without a certificate' : ''} (${by}).`,
  beside: (/** @type {S} */ file) => `The proof is too large to be built in; drop the file proofs/${file} here to verify it.`, 'verify-now': 'Verify now', 'save-proof': 'Download', 'proven-in': (/** @type {S} */ claim, /** @type {S} */ s) => `${claim}, proven in ${s} s`, 'by-formula': (/** @type {N} */ n, /** @type {S} */ by) => `By counting alone (${by}): ${n}`,
  'other-games': 'Other lines', longest: 'Longest known', 'at-most': 'At most', 'by-what': 'By', endless: 'endless', 'longer-lines': 'With longer lines every game from the cross has twelve moves, as with six.',
  'lp-title': 'A board and its linear program', 'lp-says': 'If all dots lie on a board, a linear program bounds the number of moves. The darker a dot or line, the larger its share in the solution. The bound is verified in integers.', 'lp-board': 'Board', 'lp-solve': 'Solve', 'lp-proven': (/** @type {S} */ claim, /** @type {S} */ value) => `${claim}, proven; value ${value}`, 'lp-picture': 'The fractional solution',

  'hard-says': 'A 3-SAT formula becomes a pattern of dots from which a long game exists exactly if the formula can be satisfied (Demaine, Demaine, Langerman and Langerman 2006). Every pattern comes with its own proof.',
  'formula-first': '(a or b or not c) and (not a or c) and (not b or not c)', 'lp-board-says': 'A name and its sizes.',
  formula: 'Formula', 'formula-how': 'Like (a or b or not c) and (not a or c); at most three in a clause. DIMACS too.', 'make-pattern': 'Make the dots', 'line-length': 'Dots per line', model: 'What is true?', 'model-says': 'Flip a variable and watch the signal stop at the false clause.', variable: (/** @type {S} */ name, /** @type {boolean} */ yes) => `${name} is ${yes ? 'true' : 'false'}`,
  'find-model': 'Find a model', 'no-model': 'There is no model', 'model-reaches': (/** @type {N} */ n, /** @type {N} */ needed) => `${n} moves (threshold ${needed}): all clauses hold.`, 'model-fails': (/** @type {N} */ n, /** @type {N} */ needed, /** @type {N} */ clause) => `${n} moves, below the threshold ${needed}: clause ${clause} is false.`, 'pattern-picture': (/** @type {N} */ n) => `The pattern, ${n} dots, its parts in colours`,
};

/** Other errors speak English. @type {Record<string, string>} */
export const errors = {
  offline: 'The server does not answer.', link: 'This link holds no game; it may be cut off.', 'formula-missing': 'Something is missing beside `$1`.', 'formula-word': '`$1` is no variable of a formula.', 'formula-long': 'A clause has at most three variables: $1', 'formula-empty': 'There is no formula.',
};
