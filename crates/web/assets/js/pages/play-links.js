/** How a game comes to the Play page: by its address, or the one that was played last. */

import { ask } from '../engine.js';
import { act, change, state, toast } from '../state.js';
import { reason, t } from '../texts.js';
import { enter as enterBranch, find, goTo, treeOf } from '../tree.js';
import { keptGames } from '../drafts.js';
import { address, begin, sync, tellAddress } from './play.js';

/** @typedef {import('./play.js').Kept} Kept */

/** @param {string} rest what follows `g/` in the address @param {boolean} readOnly */
export async function enter(rest, readOnly) {
  const here = state.play;
  if (here.readOnly !== readOnly) change(({ play }) => { play.readOnly = readOnly; });
  if (rest && rest === address) return;
  if (rest) {
    await openLink(rest);
  } else if (!here.dots.length) {
    const last = keptGames()[0];
    if (last) await begin(last.rules, last.start, { ...last, push: false }).catch(() => begin('5T', 'cross', { push: false }));
    else await begin('5T', 'cross', { push: false });
  } else {
    await tellAddress(false);
  }
}

/**
 * Opens the game of a link: in the tree that is played, or was before, or was kept, if it is there;
 * so a reload keeps branches and who played what.
 * @param {string} rest
 */
export async function openLink(rest) {
  const [, whole = rest, draft] = /^([^/]*\/[^/]*)(?:\/(\d+))?$/.exec(rest) ?? [];
  const [link, at] = whole.split('@');
  const number = at === undefined ? undefined : at === 'play' ? 0 : Number(at);
  try {
    const { record } = await ask('open', decodeURIComponent(link));
    const { play: now } = state;
    const first = !now.dots.length;
    /** The node that the link leads to. */
    const nodeIn = (/** @type {Kept|null} */ one) => (one && one.rules === record.rules && JSON.stringify(one.start) === JSON.stringify(record.start) && (record.moves.length || one.tree.nodes.length === 1 || !first)
      ? find(one.tree, record.moves) : null);
    const known = first ? null : nodeIn(now);
    const other = [now.before, ...(first && !now.readOnly ? keptGames() : [])].find((one) => nodeIn(one) !== null);
    if (known !== null) {
      change(({ play }) => {
        enterBranch(play.tree, known);
        play.sheet = false;
        if (number !== undefined) goTo(play.tree, number);
      });
      await sync(false);
    } else if (other) {
      const { rules, start, tree, draft: own } = other;
      enterBranch(tree, /** @type {number} */ (nodeIn(other)));
      await begin(rules, start, { tree, draft: draft ? Number(draft) : own, push: false, at: number });
    } else {
      // What was being played here goes on; what comes from elsewhere is imported.
      const kind = draft ? 'mine' : 'imported';
      await begin(record.rules, record.start, { tree: treeOf(record.moves, kind), push: false, at: number, ...(draft ? { draft: Number(draft) } : {}) });
    }
    if (at === 'play') await act('replay');
  } catch (error) {
    if (!state.play.dots.length) await begin('5T', 'cross', { push: false });
    toast(/** @type {any} */ (error).code === 'link' ? reason(error) : t('bad-link', reason(error)), { kind: 'bad' });
  }
}
