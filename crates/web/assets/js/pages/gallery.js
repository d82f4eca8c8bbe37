/** The gallery: verified games, to be viewed and replayed. */

import { change, isDark, on, state } from '../api.js';
import { board } from '../board.js';
import { h } from '../dom.js';
import { newReplay, pauseReplay, replayKeys, replayView } from '../replay.js';
import { ask, askFile, save } from '../server.js';
import { t } from '../texts.js';
import { begin } from './play.js';

/** How many games are shown at first, and how many more each time. */
const STEP = 24;

state.gallery = { filter: { game: '', least: '', method: '' }, limit: STEP, games: null, kept: true, drafts: [], runs: null, open: null, replay: null };

export const keys = replayKeys;
export const leave = pauseReplay;

export async function enter() {
  await load();
}

async function load() {
  const { filter, limit } = state.gallery;
  const query = new URLSearchParams({ limit: String(limit + 1) });
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  const { kept, games } = await ask(`archive?${query}`);
  const [runs, drafts] = await Promise.all([ask('runs'), ask('drafts')]);
  change(({ gallery }) => Object.assign(gallery, { kept, games, runs, drafts }));
}

on({
  'gallery-filter': async ({ name }, event) => {
    change(({ gallery }) => {
      gallery.filter[/** @type {string} */ (name)] = /** @type {HTMLInputElement} */ (event?.target).value.trim();
      gallery.limit = STEP;
    });
    await load();
  },
  'gallery-more': async () => {
    change(({ gallery }) => { gallery.limit += STEP; });
    await load();
  },
  'gallery-open': async ({ id }) => {
    const game = await ask(`archive/${id}`);
    change(({ gallery }) => {
      gallery.open = game;
      gallery.replay = newReplay({ start: game.start, length: game.length, moves: game.record.moves });
    });
    scrollTo(0, 0);
  },
  'gallery-close': () => {
    pauseReplay();
    change(({ gallery }) => Object.assign(gallery, { open: null, replay: null }));
  },
  'gallery-play': async () => {
    const { rules, start, moves } = state.gallery.open.record;
    await begin(rules, start, moves);
    location.hash = '#play';
  },
  'draft-open': async ({ id }) => {
    const { rules, start, moves } = await ask(`drafts/${id}`);
    await begin(rules, start, moves, { draft: Number(id) });
    location.hash = '#play';
  },
  'draft-forget': async ({ id }) => {
    await ask(`drafts/${id}`, undefined, { method: 'DELETE' });
    change(({ gallery }) => { gallery.drafts = gallery.drafts.filter((/** @type {any} */ one) => String(one.id) !== id); });
  },
  'gallery-save': async ({ format }) => {
    const { record } = state.gallery.open;
    const { blob, name } = await askFile(`convert/${format}?theme=${isDark() ? 'dark' : 'light'}`, record);
    save(blob, name);
  },
});

/** @param {any} state */
export function render({ gallery }) {
  if (gallery.open) return opened(gallery);
  const { games, filter, limit, kept } = gallery;
  const change = (/** @type {string} */ name) => ({ 'data-change': 'gallery-filter', 'data-name': name, value: filter[name] });
  return h('div', { class: 'stack' },
    h('h1', {}, t('gallery-title')), h('p', { class: 'quiet' }, kept ? t('gallery-says') : t('no-archive')),
    h('div', { class: 'form card' },
      h('label', { class: 'field' }, t('filter-game'), h('select', change('game'), h('option', { value: '' }, t('all-games')), ['5T', '5D', '4T', '4D', '6T', '6D'].map((name) => h('option', { value: name }, t('game-name', name))))),
      h('label', { class: 'field' }, t('filter-least'), h('input', { type: 'number', min: 0, ...change('least') })),
      h('label', { class: 'field' }, t('filter-method'), h('input', { ...change('method'), maxlength: 40 }))),
    games === null ? h('p', { class: 'quiet' }, t('loading')) : games.length === 0 ? h('p', { class: 'quiet' }, t('no-games')) : null,
    h('div', { class: 'gallery', id: 'games' }, (games ?? []).slice(0, limit).map(item)),
    games?.length > limit && h('div', { class: 'row' }, h('button', { 'data-do': 'gallery-more' }, t('more-games'))),
    gallery.drafts.length > 0 && draftsCard(gallery.drafts),
    gallery.runs?.runs.length > 0 && runsCard(gallery.runs));
}

/** Games that are still being played. @param {any[]} drafts */
function draftsCard(drafts) {
  return h('section', { class: 'stack', key: 'drafts', id: 'drafts' }, h('h2', {}, t('drafts-title')), h('p', { class: 'small quiet' }, t('drafts-says')),
    h('div', { class: 'gallery' }, drafts.map((one) => h('div', { class: 'stack', key: one.id },
      h('button', { class: 'item', 'data-do': 'draft-open', 'data-id': one.id, 'data-score': one.score }, picture(one),
        h('b', {}, `${one.game} · ${one.score} ${t('moves-word', one.score)}`), h('span', { class: 'small quiet' }, t('left', one.left))),
      h('button', { 'data-do': 'draft-forget', 'data-id': one.id }, t('hunt-forget'))))));
}

/** @param {any} game */
function picture({ start, length, moves }) {
  return board({ start, length, moves, numbers: false, grid: false, margin: 0.8 }, { 'aria-hidden': 'true' });
}

/** How the runs of the archive stand. @param {any} status */
function runsCard({ runs, running, mishaps }) {
  return h('section', { class: 'card table', key: 'runs' }, h('h2', {}, t('runs-title')),
    h('table', {}, h('thead', {}, h('tr', {}, ['run-name', 'run-state', 'run-done', 'run-open', 'run-failed', 'run-best'].map((name) => h('th', { scope: 'col' }, t(name))))),
      h('tbody', {}, runs.map((/** @type {any} */ run) => h('tr', {}, h('th', { scope: 'row' }, run.name), h('td', {}, t(`run-${run.state}`)), h('td', {}, run.done), h('td', {}, run.open), h('td', {}, run.failed),
        h('td', {}, run.best ? `${run.best.game} · ${run.best.score}` : '–'))))),
    running.length > 0 && h('ul', { class: 'list small' }, running.map((/** @type {any} */ one) => h('li', {}, h('b', {}, one.worker), ` ${one.what || one.task.slice(0, 8)} `, h('span', { class: 'quiet' }, one.progress)))),
    mishaps.length > 0 && h('details', { class: 'small' }, h('summary', {}, t('run-mishaps', mishaps.length)), h('ul', { class: 'list' }, mishaps.map((/** @type {any} */ one) => h('li', {}, `${one.task.slice(0, 8)}, ${one.worker}: ${one.what}, ${one.reason}`)))));
}

/** Who found it. @param {any} game */
function finder({ method, author }) {
  return method ? t('found-by', method) : author ?? t('by-hand');
}

/** @param {any} game */
function item(game) {
  return h('button', { class: 'item', key: game.id, 'data-do': 'gallery-open', 'data-id': game.id, 'data-score': game.score },
    picture(game),
    h('b', {}, `${game.game} · ${game.score} ${t('moves-word', game.score)}`),
    h('span', { class: 'small quiet' }, finder(game)));
}

/** @param {any} gallery */
function opened({ open, replay }) {
  const facts = Object.entries(open.record.provenance ?? {}).filter(([, value]) => typeof value !== 'object');
  return h('div', { class: 'two' },
    h('section', {}, replayView(replay)),
    h('section', { class: 'stack' },
      h('button', { 'data-do': 'gallery-close', id: 'gallery-close' }, `‹ ${t('back')}`),
      h('div', { class: 'card stack' },
        h('h1', {}, `${open.game} · ${open.score} ${t('moves-word', open.score)}`),
        h('p', { class: 'quiet' }, open.left ? t('left', open.left) : t('over')),
        h('dl', { class: 'keys' }, facts.map(([name, value]) => [h('dt', {}, name), h('dd', {}, String(value))])),
        h('button', { class: 'main', 'data-do': 'gallery-play' }, t('go-on-playing')),
        h('div', { class: 'share' }, ['json', 'svg', 'png', 'gif'].map((format) => h('button', { 'data-do': 'gallery-save', 'data-format': format }, format.toUpperCase()))))));
}
