/** French. */

/** @typedef {number} N */
/** @typedef {string} S */

const coups = (/** @type {N} */ n) => (n < 2 ? 'coup' : 'coups');
const kinds = { T: 'tangentes', D: 'disjointes' };
const words = ['aucun', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'dix'];
const word = (/** @type {N} */ n) => words[n] ?? String(n);

/** @type {Record<string, any>} */
export const texts = {
  'page-play': 'Jouer', 'page-records': 'Records', 'page-search': 'Chercher', 'page-proofs': 'Preuves', 'page-hard': 'Pourquoi c’est difficile',
  pages: 'Pages', skip: 'Aller au contenu', language: 'Switch to English', close: 'Fermer', cancel: 'Annuler', none: 'aucun', game: 'Jeu', working: 'En cours …', colon: ' : ', more: 'Plus',
  theme: (/** @type {S} */ now) => `Couleurs : ${now}`, 'theme-auto': 'celles du système', 'theme-light': 'claires', 'theme-dark': 'sombres',
  'game-name': (/** @type {S} */ name) => `${name} · lignes de ${name.slice(0, -1)}, ${kinds[/** @type {'T'} */ (name.slice(-1))]}`,
  offline: 'Le serveur ne répond pas. Votre partie est gardée dans ce navigateur.', 'offline-local': 'Le serveur ne répond pas. Vous pouvez continuer à jouer ; rien n’est perdu.', retry: 'Réessayer',
  'drop-here': 'Déposez : partie, lien ou image', 'file-too-large': (/** @type {N} */ most, /** @type {S} */ file) => `Le fichier dépasse ${most} Mo ; en ligne de commande : morpion verify ${file}`,

  'play-title': (/** @type {S} */ rules) => `Morpion solitaire ${rules}`, board: 'Grille', 'about-game': 'La partie',
  'board-says': (/** @type {S} */ rules, /** @type {N} */ score, /** @type {N} */ left) => `Grille de ${rules}, ${score} ${coups(score)}, ${left} possibles. N va au point possible suivant, Tab à une autre ligne, Entrée trace.`,
  'tip-first': (/** @type {N} */ n) => `Un point vert complète une ligne de ${word(n)}`,
  'tip-choose': (/** @type {N} */ n) => `${word(n)} lignes ici : bougez un peu pour choisir, cliquez pour tracer`.replace(/^./, (c) => c.toUpperCase()),
  'tip-release': 'Glissez pour choisir, relâchez pour tracer', 'tip-draw': 'Cliquez pour tracer cette ligne',
  'tip-fan': (/** @type {N} */ n) => `${word(n)} lignes ici : touchez celle à tracer`.replace(/^./, (c) => c.toUpperCase()),
  'tip-keys': (/** @type {N} */ n) => (n > 1 ? `${word(n)} lignes ici : Tab pour choisir, Entrée pour tracer`.replace(/^./, (c) => c.toUpperCase()) : 'Entrée pour tracer cette ligne'), 'lines-here': (/** @type {N} */ n) => `${n} lignes ici, Tab pour la suivante`,
  'miss-dot': 'Il y a déjà un point', 'miss-none': 'Une ligne peut être tracée ici',
  'miss-few': (/** @type {N} */ dots, /** @type {N} */ needed) => `${word(dots)} ${dots < 2 ? 'point aligné' : 'points alignés'} ici, il en faut ${word(needed)}`.replace(/^./, (c) => c.toUpperCase()),
  'miss-overlap': 'Cette ligne en recouvrirait une autre',
  'moves-word': coups, left: (/** @type {N} */ n) => `${n} ${n < 2 ? 'possible' : 'possibles'}`, 'none-possible': 'aucun possible', reach: (/** @type {N} */ n) => `${n} au moins à portée`,
  over: (/** @type {N} */ n) => `La partie est finie : ${n} ${coups(n)}`, 'over-kept': (/** @type {N} */ n) => `La partie est finie : ${n} ${coups(n)}. Elle est dans les archives.`,
  'party-record': (/** @type {N} */ n) => `${n} coups : un nouveau record !`, 'party-best': (/** @type {N} */ n) => `${n} coups : votre meilleure partie !`,
  'party-equal': (/** @type {N} */ n) => `${n} coups : autant que le record !`, 'party-proven': (/** @type {N} */ n) => `${n} coups : le maximum prouvé, personne ne peut faire mieux !`,
  'say-score': (/** @type {N} */ score, /** @type {N} */ left) => `${score} ${coups(score)}, ${left} possibles`, 'say-over': (/** @type {N} */ score) => `${score} ${coups(score)}, aucun possible`,
  undo: 'Reculer', redo: 'Avancer', replay: 'Rejouer', pause: 'Pause', fit: 'Tout voir', 'move-number': 'Coup',
  'moves-title': 'Coups', by: (/** @type {N} */ mine, /** @type {N} */ search, /** @type {N} */ imported) => [mine && `${mine} de vous`, search && `${search} cherchés`, imported && `${imported} importés`].filter(Boolean).join(' · '),
  'by-mine': 'votre coup', 'by-search': 'par une recherche', 'by-imported': 'importé', 'branch-says': (/** @type {N} */ n) => `Branche de ${n} ${coups(n)}`,
  hint: 'Indice', finish: 'Finir pour moi', searching: 'Recherche …', 'hint-says': (/** @type {N} */ n) => `Le point cerclé mène à ${n} ${coups(n)} au moins.`, 'nothing-left': 'Aucun coup n’est possible.',
  finished: (/** @type {N} */ n) => `La recherche l’a finie : ${n} ${coups(n)}.`, 'back-to': (/** @type {N} */ n) => `Revenir au coup ${n}`,
  stopped: (/** @type {N} */ n) => `La recherche s’est arrêtée à ${n} coups ; d’autres sont possibles.`, 'stopped-endless': (/** @type {N} */ n, /** @type {S} */ rules) => `La recherche s’est arrêtée à ${n} coups. Une partie de ${rules} peut ne jamais finir.`,
  share: 'Partager', embed: 'Intégrer', print: 'Imprimer', keep: 'Garder', kept: 'Gardée dans les archives.', 'kept-before': 'Elle y était déjà.', 'link-copied': (/** @type {N} */ n) => `Lien copié : ${n} lettres qui contiennent toute la partie.`, 'no-link': 'Trop grande pour un lien ; enregistrez-la en JSON.',
  'new-game': 'Nouvelle partie', 'new-game-says': 'Une nouvelle partie.', 'undo-new': 'Revenir', 'draw-start': 'Autre départ', 'take-back': (/** @type {N} */ n) => `Reprendre ${n}`,
  'show-legal': 'Coups possibles', 'show-numbers': 'Numéros', 'save-as': 'Enregistrer', 'print-sheets': 'Feuilles à imprimer', 'print-empty': 'Croix vide', 'print-puzzle': 'Trouver les 20 derniers',
  'drop-says': 'Déposez ou collez une partie n’importe où : JSON, Pentasol, MSR, texte, nos liens et nos images.', 'open-file': 'Ouvrir un fichier', 'typed-sample': 'Une partie tapée ressemble à « 5T / 3,0 7,0 » : le jeu, puis une ligne par ses bouts.',
  'legal-list': (/** @type {N} */ n) => `Coups possibles (${n})`, 'move-says': (/** @type {N} */ x, /** @type {N} */ y, /** @type {S} */ glyph, /** @type {N} */ a, /** @type {N} */ b, /** @type {N} */ c, /** @type {N} */ d) => `Point (${x}, ${y}) ${glyph} ligne de (${a}, ${b}) à (${c}, ${d})`,
  'open-here': 'Continuer à partir d’ici', 'own-start': (/** @type {S} */ rules, /** @type {N} */ dots) => `${rules} depuis ${dots} points à vous`,
  'keep-says': 'Mettre cette partie dans les archives', 'record-rung': (/** @type {N} */ n, /** @type {S} */ who) => `Le record : ${n} coups, ${who}`, 'ours-title': 'Ce programme', 'replay-ours': (/** @type {N} */ n) => `${n}, à rejouer`,
  ours: 'ce programme', 'your-best': 'votre meilleure', 'next-rung': (/** @type {N} */ n, /** @type {N} */ at, /** @type {S} */ who) => `encore ${n} jusqu’à ${at} (${who})`, 'top-rung': 'Personne n’est connu pour être allé si loin.',
  'proven-bound': 'prouvé : infranchissable', 'formula-bound': 'par comptage : personne au-delà', 'endless-says': 'prouvé : sans fin possible', 'see-proof': 'pourquoi',
  'bad-link': (/** @type {S} */ why) => `Cette adresse ne contient pas de partie : ${why}`,
  'draw-start-says': 'Touchez des points pour les placer, encore une fois pour les ôter.', dots: (/** @type {N} */ n) => `${n} points`, 'take-cross': 'Croix habituelle', begin: 'Commencer',
  'verdict-legal': 'Légale', 'verdict-ordered': 'Ces lignes peuvent se jouer', 'verdict-refused': 'Pas légale', 'verdict-stuck': 'Certaines lignes ne se joueront jamais', 'take-order': 'Prendre cet ordre',
  'legal-says': (/** @type {S} */ game, /** @type {N} */ n, /** @type {N} */ left) => `${game}, ${n} ${coups(n)}, ${left ? `${left} possibles` : 'aucun possible'}.`, guessed: (/** @type {S} */ game) => `Le fichier ne nomme pas le jeu ; lu comme ${game}.`,
  help: 'Aide', 'how-to': 'Comment jouer', 'how-to-says': (/** @type {S} */ rules, /** @type {N} */ n) => `Tracez des lignes de ${word(n)} points, horizontales, verticales ou diagonales. ${word(n - 1).replace(/^./, (c) => c.toUpperCase())} points doivent y être ; vous ajoutez le dernier. Deux lignes de même direction ${rules.endsWith('T') ? 'peuvent se toucher au bout' : 'ne peuvent pas même se toucher au bout'} (${rules}). Jouez le plus de coups possible.`,
  'how-to-choose': 'Si plusieurs lignes passent par un point, bougez un peu le pointeur, tournez la molette, ou, sur un écran tactile, appuyez, glissez et relâchez.',
  'key-arrows': '← →', 'key-arrows-does': 'reculer et avancer', 'key-branch': '↑ ↓', 'key-branch-does': 'une autre branche', 'key-next': 'N, P', 'key-next-does': 'point possible suivant ou précédent', 'key-cycle': 'Tab, molette', 'key-cycle-does': 'une autre ligne par ce point', 'key-enter': 'Entrée', 'key-enter-does': 'tracer la ligne',
  'key-ends': 'Début, Fin', 'key-ends-does': 'premier ou dernier coup', 'key-zoom': '+ − 0', 'key-zoom-does': 'zoom, tout voir', 'key-legal': 'L', 'key-legal-does': 'coups possibles', 'key-hint': 'H', 'key-hint-does': 'indice', 'key-help': '?', 'key-help-does': 'cette aide', about: 'Toute partie gardée est vérifiée par un programme indépendant.',
  'sheet-empty': (/** @type {S} */ rules) => `Morpion solitaire ${rules}`, 'sheet-game': (/** @type {S} */ rules, /** @type {N} */ n) => `Morpion solitaire ${rules} : ${n} ${coups(n)}`, 'sheet-puzzle': (/** @type {S} */ rules, /** @type {N} */ n, /** @type {N} */ rest) => `${rules}, après ${n} ${coups(n)} : trouvez les ${rest} derniers`,
  'sheet-rules': (/** @type {N} */ n) => `Tracez des lignes de ${n} points ; ${n - 1} doivent y être, vous ajoutez le dernier.`, 'sheet-puzzle-says': (/** @type {N} */ n) => `D’ici, ${n} coups sont encore possibles. Trouvez-les.`,

  'records-title': 'Records', 'records-says': 'Les plus longues parties connues, et les nôtres à rejouer. Ouvrez-en une, reprenez quarante coups, et essayez.', 'found-by-whom': 'Trouvée par', year: 'Année', 'our-games': 'Parties de ce programme',
  'drafts-title': 'Parties hors des archives', forget: 'Oublier', 'drafts-others': (/** @type {N} */ n) => `Voir ${n} d’autres navigateurs`, 'show-all': (/** @type {N} */ n) => `Voir les ${n}`, 'forget-all': 'Tout oublier', 'forget-says': (/** @type {N} */ n) => (n < 2 ? 'Oublier cette partie ? Rien ne la fera revenir.' : `Oublier ${n} parties ? Rien ne les fera revenir.`), 'archive-title': 'Archives', 'archive-says': 'Parties vérifiées de recherches et de joueurs, les plus longues d’abord.', 'no-archive': 'Ce serveur n’a pas d’archives.', 'no-games': 'Pas encore de partie. Lancez une recherche, ou gardez une de vos parties.',
  'all-games': 'tous', 'filter-least': 'Coups au moins', 'filter-method': 'Origine', 'no-match': 'Aucune partie ne correspond.', 'more-games': 'Plus', 'found-by': (/** @type {S} */ how) => `trouvée par ${how}`, 'by-unknown': 'origine inconnue', 'by-parts': (/** @type {N} */ mine, /** @type {N} */ search, /** @type {N} */ imported) => (search + imported === 0 ? 'jouée à la main' : mine + imported === 0 ? 'trouvée par une recherche' : mine + search === 0 ? 'importée' : [mine && `${mine} à la main`, search && `${search} par une recherche`, imported && `${imported} importés`].filter(Boolean).join(', ')),
  'runs-title': 'Campagnes', 'run-name': 'Plan', 'run-state': 'État', 'run-done': 'Faites', 'run-open': 'À faire', 'run-failed': 'Échouées', 'run-best': 'Meilleure', 'run-running': 'en cours', 'run-stopped': 'arrêtée', 'run-over': 'finie', 'run-interrupted': 'interrompue', 'run-mishaps': (/** @type {N} */ n) => `Échecs (${n})`,

  'search-title': 'Chercher de longues parties', 'search-says': 'Les recherches tournent sur cette machine. Toute partie trouvée est vérifiée et gardée.', 'search-says-here': 'La recherche tourne dans cette page, tant qu’elle est ouverte.',
  'improve-title': 'Améliorer cette partie', 'improve-says': (/** @type {S} */ rules, /** @type {N} */ n) => `Votre partie de la page Jouer : ${rules}, ${n} ${coups(n)}. La recherche garde ses premiers coups et cherche une suite plus longue.`, 'improve-none': 'Vous n’avez pas encore joué ; la recherche part de la croix.', 'keep-first': (/** @type {N} */ n, /** @type {N} */ all) => `Garder les ${n} premiers coups sur ${all}`, improve: 'Améliorer', 'search-new': 'Chercher',
  'new-search': 'Une nouvelle partie', 'wish-method': 'Méthode', 'wish-seconds': 'Secondes', 'wish-threads': 'Fils', 'wish-seed': 'Graine', 'wish-target': 'S’arrêter à ce nombre de coups', 'until-stopped': 'jusqu’à l’arrêt', random: 'au hasard', expert: 'Expert : méthode et paramètres',
  'hunt-start': 'Lancer', 'hunt-stop': 'Arrêter', 'hunt-resume': 'Reprendre', 'hunt-forget': 'Oublier', 'hunt-play': 'Ouvrir dans Jouer', 'hunt-save': 'Enregistrer', 'no-hunts': 'Pas encore de recherche. 5D atteint 80 coups en quelques secondes.', 'as-command': 'La même en ligne de commande', 'hunt-from': (/** @type {N} */ n, /** @type {N|undefined} */ all) => `Améliore une partie : à partir de ${n}${all ? ` sur ${all}` : ''} ${coups(all ?? n)}`, 'game-json': 'game.json est la partie à améliorer, enregistrée en JSON sur la page Jouer.', copy: 'Copier', copied: 'Copié.',
  'status-running': 'en cours', 'status-stopped': 'arrêtée', 'status-done': 'finie', 'status-failed': 'échouée', 'per-second-word': 'par seconde', 'of-seconds': (/** @type {S} */ n) => `sur ${n} s`, 'no-limit': 'sans limite', 'score-time': 'Coups selon le temps', 'record-line': (/** @type {N} */ n) => `en tirets : le record, ${n}`,
  'learn-title': 'Apprendre en jouant contre soi', 'learn-says': 'Un réseau joue des parties et apprend des bonnes. Les entraînements apparaissent ici pendant qu’ils avancent.', 'no-trainings': 'Pas encore d’entraînement. Un petit réseau met une heure ou deux à bien jouer.', 'training-start': 'Lancer un entraînement', iterations: (/** @type {N} */ n) => (n < 2 ? 'itération' : 'itérations'),
  'mean-word': 'moyenne de ses parties', 'best-word': 'meilleure partie', 'threshold-word': 'seuil', 'learning-curve': 'Coups selon les itérations', 'policy-loss': 'perte de la politique', 'value-loss': 'perte de la valeur', losses: 'Pertes selon les itérations', parameters: 'Paramètres',
  ago: (/** @type {N} */ s) => (s < 120 ? `changé il y a ${s} s` : s < 7200 ? `changé il y a ${Math.round(s / 60)} min` : s < 172800 ? `changé il y a ${Math.round(s / 3600)} h` : `changé il y a ${Math.round(s / 86400)} jours`),

  'proofs-title': 'Combien de coups au plus ?', 'proofs-says': 'Notre meilleure partie, le record, et les bornes qu’aucune partie ne dépasse. Une preuve est un fichier qu’un petit programme indépendant vérifie en entiers ; vérifiez-la ici, ou emportez-la.', verifying: 'Vérification …', 'proof-proven': (/** @type {S} */ claim) => `Prouvé : ${claim}`, 'proof-refused': 'Ce n’est pas une preuve qui tient', 'verify-own': 'Vérifier une preuve à vous', 'verify-own-says': (/** @type {N} */ most) => `Déposez ou ouvrez une preuve, comprimée ou non, de ${most} Mo au plus.`, 'in-seconds': (/** @type {S} */ s) => `en ${s} s`,
  'our-best': 'la nôtre', published: 'borne publiée', certified: 'certifiée', exact: 'exact', 'is-exact': (/** @type {S} */ game, /** @type {N} */ n) => `${game} = ${n} : une partie de ${n} coups est connue, et aucune n’est plus longue.`, 'is-open': (/** @type {N} */ a, /** @type {N} */ b) => `La plus longue partie connue a ${a} coups. Certifié ici : ${b} au plus.`, 'published-says': (/** @type {N} */ n, /** @type {S} */ by, /** @type {boolean} */ bare) => `Publié : ${n} au plus${bare ? ', sans certificat' : ''} (${by}).`,
  beside: (/** @type {S} */ file) => `La preuve est trop grande pour être intégrée ; déposez ici le fichier proofs/${file} pour la vérifier.`, 'verify-now': 'Vérifier', 'save-proof': 'Télécharger', 'proven-in': (/** @type {S} */ claim, /** @type {S} */ s) => `${claim}, prouvé en ${s} s`, 'by-formula': (/** @type {N} */ n, /** @type {S} */ by) => `Par comptage seul (${by}) : ${n}`,
  'other-games': 'Autres lignes', longest: 'Plus longue connue', 'at-most': 'Au plus', 'by-what': 'Par', endless: 'sans fin', 'longer-lines': 'Avec des lignes plus longues, toute partie depuis la croix a douze coups, comme avec six.',
  'lp-title': 'Un plateau et son programme linéaire', 'lp-says': 'Si tous les points sont sur un plateau, un programme linéaire borne le nombre de coups. Plus un point ou une ligne est sombre, plus sa part est grande. La borne est vérifiée en entiers.', 'lp-board': 'Plateau', 'lp-solve': 'Résoudre', 'lp-proven': (/** @type {S} */ claim, /** @type {S} */ value) => `${claim}, prouvé ; valeur ${value}`, 'lp-picture': 'La solution fractionnaire',

  'hard-says': 'Une formule 3-SAT devient un motif de points d’où une longue partie existe exactement si la formule peut être satisfaite (Demaine, Demaine, Langerman et Langerman 2006). Chaque motif vient avec sa preuve.',
  'formula-first': '(a ou b ou non c) et (non a ou c) et (non b ou non c)', 'lp-board-says': 'Un nom et ses mesures.',
  formula: 'Formule', 'formula-how': 'Comme (a ou b ou non c) et (non a ou c) ; trois par clause au plus. DIMACS aussi.', 'make-pattern': 'Faire les points', 'line-length': 'Points par ligne', model: 'Qu’est-ce qui est vrai ?', 'model-says': 'Changez une variable et voyez le signal s’arrêter à la clause fausse.', variable: (/** @type {S} */ name, /** @type {boolean} */ yes) => `${name} est ${yes ? 'vrai' : 'faux'}`,
  'find-model': 'Trouver un modèle', 'no-model': 'Il n’y a pas de modèle', 'model-reaches': (/** @type {N} */ n, /** @type {N} */ needed) => `${n} coups (seuil ${needed}) : toutes les clauses sont vraies.`, 'model-fails': (/** @type {N} */ n, /** @type {N} */ needed, /** @type {N} */ clause) => `${n} coups, sous le seuil ${needed} : la clause ${clause} est fausse.`, 'pattern-picture': (/** @type {N} */ n) => `Le motif, ${n} points, ses parties en couleurs`,
};

/** Errors that come first; the others are in `fr-said.js`. @type {Record<string, string>} */
export const errors = {
  offline: 'Le serveur ne répond pas.', link: 'Ce lien ne contient pas de partie ; il est peut-être coupé.',
};
