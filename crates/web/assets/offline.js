/** Keeps the files of the static pages, so that they work without a network. The network comes first. */

const CACHE = 'morpion-pages';

addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    const files = await (await fetch('files.json')).json();
    await cache.addAll(['./', ...files]);
    self.skipWaiting();
  })());
});

addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    try {
      const response = await fetch(event.request);
      if (response.ok) cache.put(event.request, response.clone());
      return response;
    } catch (error) {
      const known = await cache.match(event.request, { ignoreSearch: true });
      if (known) return known;
      throw error;
    }
  })());
});
