/** Records: famous scores, our own games, and what the archive has. */

import { h } from '../dom.js';
import { ask, native, served } from '../engine.js';
import { act, change, on, state, toast } from '../state.js';
import { t } from '../texts.js';
import { thumb } from '../thumb.js';
import { ownDrafts } from '../drafts.js';
import { openGame } from './play.js';

/** How many games are shown at first, and how many more each time. */
const STEP = 24;
/** How many unfinished games are shown at first. */
const DRAFTS = 6;
/** Who a game can be found by, in the order of `by-parts`. */
const FINDERS = ['hand', 'search', 'imported'];
const GAMES = ['5T', '5D', '4T', '4D', '6T', '6D'];

/**
 * @typedef {object} Records
 * @property {any[]} famous
 * @property {any[]} bounds
 * @property {Record<string, import('../thumb.js').Small>} boards our games, by their links
 * @property {{game: string, least: string, finder: string}} filter
 * @property {number} limit
 * @property {any[]|null} games
 * @property {boolean} kept
 * @property {any[]} drafts
 * @property {boolean} allDrafts
 * @property {boolean} otherDrafts whether those of other browsers are shown, too
 * @property {string[]} forgetting the numbers of games that are forgotten once somebody says so
 * @property {any} runs
 */
/** @type {Records} */
const first = { famous: [], bounds: [], boards: {}, filter: { game: '', least: '', finder: '' }, limit: STEP, games: null, kept: true, drafts: [], allDrafts: false, otherDrafts: false, forgetting: [], runs: null };
state.records = first;

export async function enter() {
  await Promise.all([famous(), served ? archive() : null]);
}

async function famous() {
  if (state.records.famous.length) return;
  const list = await ask('records');
  change(({ records }) => { records.famous = list; });
  ask('bounds').then((bounds) => change(({ records }) => { records.bounds = bounds; }), () => {});
  for (const { link } of list) {
    if (!link) continue;
    const { record, position } = await ask('open', link);
    change(({ records }) => { records.boards[link] = { start: position.start, moves: record.moves, length: position.length }; });
  }
}

/** How often the archive was asked. */
let asked = 0;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let typing;

async function archive() {
  const { filter, limit } = state.records;
  const mine = asked += 1;
  const query = { limit: limit + 1, ...filter };
  const [{ kept, games }, runs, drafts] = await Promise.all([ask('archive', undefined, query), ask('runs'), ask('drafts')]);
  if (mine === asked) change(({ records }) => Object.assign(records, { kept, games, runs, drafts }));
}

on({
  'records-filter': ({ name }, event) => {
    change(({ records }) => {
      records.filter[/** @type {string} */ (name)] = /** @type {HTMLInputElement} */ (event?.target).value;
      records.limit = STEP;
    });
    clearTimeout(typing);
    typing = setTimeout(() => act('records-again'), 200);
  },
  'records-again': archive,
  'records-more': async () => {
    change(({ records }) => { records.limit += STEP; });
    await archive();
  },
  'draft-forget': ({ id = '' }) => askToForget([id.split(' ')]),
  'drafts-all': () => change(({ records }) => { records.allDrafts = true; }),
  'drafts-ask': () => askToForget(shownDrafts(state.records).map(({ ids }) => ids.map(String))),
  'drafts-others': () => change(({ records }) => { records.otherDrafts = true; }),
  'drafts-forget': () => forget(state.records.forgetting),
  'archive-open': async ({ id }) => {
    const game = await ask(`archive/${id}`);
    await openGame(game.record, isOfSearch(game) ? 'search' : 'imported');
    change(({ play }) => { play.kept = play.tree.at; });
  },
  'draft-open': async ({ id }) => {
    const { rules, start, moves } = await ask(`drafts/${id}`);
    const { link } = await ask('link', native(rules, start, moves));
    location.hash = `#g/${link}/${id}`;
  },
});

/** Asks whether games are to be forgotten, each by its numbers. @param {string[][]} games */
function askToForget(games) {
  change(({ records }) => { records.forgetting = games.flat(); });
  toast(t('forget-says', games.length), { action: 'drafts-forget', label: t('forget') });
}

/** Forgets games that were saved as they were played. @param {string[]} ids */
async function forget(ids) {
  await Promise.all(ids.map((id) => ask(`drafts/${id}`, undefined, {}, { method: 'DELETE' })));
  change(({ records }) => { records.drafts = records.drafts.filter((/** @type {any} */ one) => !ids.includes(String(one.id))); });
}

/** Saved games with equal ones as one, the latest first, and all its numbers. @param {any[]} drafts @returns {any[]} */
function merged(drafts) {
  const found = new Map();
  for (const one of drafts) {
    const same = JSON.stringify([one.game, one.start, one.moves]);
    if (found.has(same)) found.get(same).ids.push(one.id);
    else found.set(same, { ...one, ids: [one.id] });
  }
  return [...found.values()];
}

/** The saved games of this browser, and those of others where they are wanted. @param {Records} records */
function shownDrafts({ drafts, otherDrafts }) {
  const own = new Set(ownDrafts().map(String));
  return merged(drafts).filter(({ ids }) => otherDrafts || ids.some((/** @type {any} */ id) => own.has(String(id))));
}

/** @param {import('../state.js').State} state */
export function render({ records }) {
  return h('div', { class: 'stack' },
    h('h1', {}, t('records-title')), h('p', { class: 'quiet' }, t('records-says')),
    h('section', { class: 'card table' }, h('table', { id: 'famous' },
      h('thead', {}, h('tr', {}, ['game', 'moves-title', 'found-by-whom', 'year', 'ours-title', 'at-most'].map((name) => h('th', { scope: 'col' }, t(name))))),
      h('tbody', {}, records.famous.filter((/** @type {any} */ one) => one.author).map((/** @type {any} */ one, /** @type {number} */ index, /** @type {any[]} */ all) => famousRow(one, all.findIndex((/** @type {any} */ other) => other.game === one.game) === index, records))))),
    h('h2', {}, t('our-games')),
    h('div', { class: 'gallery', id: 'ours' }, records.famous.filter((/** @type {any} */ one) => one.link).map((/** @type {any} */ one) => h('a', { class: 'item', href: `#g/${one.link}@play`, key: one.link },
      records.boards[one.link] ? thumb(records.boards[one.link]) : h('div', { class: 'thumb' }), h('b', {}, `${one.game} · ${one.moves}`), h('span', { class: 'small link' }, t('replay'))))),
    served && archiveView(records));
}

/** A famous score; beside the longest of a game stand ours and the bound. @param {any} one @param {boolean} leads @param {Records} records */
function famousRow({ game, moves, author, year }, leads, { famous: all, bounds }) {
  const ours = leads && all.find((/** @type {any} */ other) => other.game === game && other.link);
  const row = leads && bounds.find((/** @type {any} */ other) => other.game === game);
  return h('tr', {}, h('th', { scope: 'row' }, leads && game), h('td', {}, h('b', {}, moves)), h('td', {}, author), h('td', {}, year),
    h('td', {}, ours && h('a', { href: `#g/${ours.link}@play` }, t('replay-ours', ours.moves))), h('td', {}, row && h('a', { href: '#proofs' }, row.proven ?? row.bound)));
}

/** @param {Records} records */
function archiveView(records) {
  const { games, filter, limit, kept, drafts: every, allDrafts, runs } = records;
  const drafts = shownDrafts(records);
  const others = merged(every).length - drafts.length;
  const field = (/** @type {'game'|'least'|'finder'} */ name) => ({ 'data-input': 'records-filter', 'data-name': name, value: filter[name] });
  return h('section', { class: 'stack' },
    drafts.length + others > 0 && [h('h2', {}, t('drafts-title')), drafts.length > 0 && h('div', { class: 'gallery', id: 'drafts' }, drafts.slice(0, allDrafts ? drafts.length : DRAFTS).map((one) => h('div', { class: 'stack', key: one.id },
      h('button', { class: 'item', 'data-do': 'draft-open', 'data-id': one.id, 'data-score': one.score }, thumb(one), h('b', {}, `${one.game} · ${one.score}`), h('span', { class: 'small quiet' }, one.left ? t('left', one.left) : t('none-possible'))),
      h('button', { 'data-do': 'draft-forget', 'data-id': one.ids.join(' ') }, t('forget'))))),
      h('div', { class: 'row' }, !allDrafts && drafts.length > DRAFTS && h('button', { 'data-do': 'drafts-all', id: 'drafts-all' }, t('show-all', drafts.length)),
        others > 0 && h('button', { 'data-do': 'drafts-others', id: 'drafts-others' }, t('drafts-others', others)),
        drafts.length > 1 && h('button', { 'data-do': 'drafts-ask', id: 'drafts-ask' }, t('forget-all')))],
    h('h2', {}, t('archive-title')), h('p', { class: 'quiet' }, kept ? t('archive-says') : t('no-archive')),
    kept && h('div', { class: 'form' },
      h('label', { class: 'field' }, t('game'), h('select', field('game'), h('option', { value: '' }, t('all-games')), GAMES.map((name) => h('option', { value: name }, name)))),
      h('label', { class: 'field' }, t('filter-least'), h('input', { type: 'number', min: 0, ...field('least') })),
      h('label', { class: 'field' }, t('filter-method'), h('select', field('finder'), h('option', { value: '' }, t('all-games')), FINDERS.map((name) => h('option', { value: name }, t('by-parts', ...FINDERS.map((other) => Number(name === other)))))))),
    games?.length === 0 && h('p', { class: 'quiet', id: 'no-games' }, t(Object.values(filter).some(Boolean) ? 'no-match' : 'no-games')),
    h('div', { class: 'gallery', id: 'games' }, (games ?? []).slice(0, limit).map((game) => h('button', { class: 'item', key: game.id, 'data-do': 'archive-open', 'data-id': game.id, 'data-score': game.score },
      thumb(game), h('b', {}, `${game.game} · ${game.score}`), h('span', { class: 'small quiet finder' }, finder(game))))),
    (games?.length ?? 0) > limit && h('div', { class: 'row' }, h('button', { 'data-do': 'records-more' }, t('more-games'))),
    runs?.runs.length > 0 && runsView(runs));
}

/** Whether a game was found by searches alone, here or anywhere. @param {any} game */
function isOfSearch({ method, moves_by: by }) {
  return by ? by.mine + by.imported === 0 : method !== null;
}

/** Who found it. @param {any} game */
function finder({ method, moves_by: by, author }) {
  if (by) return t('by-parts', by.mine, by.search, by.imported);
  if (method === 'auto') return t('by-parts', 0, 1, 0);
  return method ? t('found-by', method) : author ?? t('by-unknown');
}

/** How the runs of the archive stand. @param {any} status */
function runsView({ runs, running, mishaps }) {
  return h('div', { class: 'card table', id: 'runs' }, h('h2', {}, t('runs-title')),
    h('table', {}, h('thead', {}, h('tr', {}, ['run-name', 'run-state', 'run-done', 'run-open', 'run-failed', 'run-best'].map((name) => h('th', { scope: 'col' }, t(name))))),
      h('tbody', {}, runs.map((/** @type {any} */ run) => h('tr', {}, h('th', { scope: 'row' }, run.name), h('td', {}, t(`run-${run.state}`)), h('td', {}, run.done), h('td', {}, run.open), h('td', {}, run.failed),
        h('td', {}, run.best ? `${run.best.game} · ${run.best.score}` : '–'))))),
    running.length > 0 && h('ul', { class: 'list small' }, running.map((/** @type {any} */ one) => h('li', {}, h('b', {}, one.worker), ` ${one.what || one.task.slice(0, 8)} `, h('span', { class: 'quiet' }, one.progress)))),
    mishaps.length > 0 && h('details', { class: 'small' }, h('summary', {}, t('run-mishaps', mishaps.length)), h('ul', { class: 'list' }, mishaps.map((/** @type {any} */ one) => h('li', {}, `${one.task.slice(0, 8)}, ${one.worker}: ${one.what}, ${one.reason}`)))));
}
