/** Français. */

const coups = (/** @type {number} */ n) => (n <= 1 ? 'coup' : 'coups');
const kinds = { T: 'tangentes', D: 'disjointes' };

/** @type {Record<string, any>} */
export const texts = {
  'page-play': 'Jouer', 'page-check': 'Vérifier', 'page-hunt': 'Chasser', 'page-gallery': 'Galerie', 'page-limits': 'Limites', 'page-reduce': 'Réduire', 'page-learn': 'Apprendre',
  pages: 'Pages', language: 'Switch to English', close: 'Fermer', loading: 'Chargement …', cancel: 'Annuler', none: 'aucun',
  theme: (/** @type {string} */ now) => `Couleurs : ${now}`, 'theme-auto': 'comme le système', 'theme-light': 'claires', 'theme-dark': 'sombres',
  'game-name': (/** @type {string} */ name) => `${name} · lignes de ${name.slice(0, -1)}, ${kinds[/** @type {'T'} */ (name.slice(-1))]}`,

  board: 'Grille', game: 'Jeu', rules: 'Règles', 'new-game': 'Nouvelle partie', 'draw-start': 'Dessiner un départ',
  'board-says': (/** @type {string} */ rules, /** @type {number} */ score, /** @type {number} */ left) => `Grille de ${rules}, ${score} ${coups(score)}, ${left} possibles. Les flèches désignent, Entrée joue.`,
  'moves-tools': 'Coups', undo: 'Reculer', redo: 'Avancer', 'undo-all': 'Revenir au départ', 'redo-all': 'Aller à la fin',
  branch: (/** @type {number} */ index, /** @type {number} */ count) => `branche ${index} sur ${count}`, 'branch-before': 'La branche précédente', 'branch-after': 'La branche suivante',
  'show-legal': 'Coups possibles', 'show-numbers': 'Numéros',
  'moves-word': coups, left: (/** @type {number} */ n) => `${n} possible${n > 1 ? 's' : ''}`, over: 'aucun possible : la partie est finie',
  'in-print': (/** @type {number} */ n, /** @type {string} */ by) => `La plus longue partie connue a ${n} ${coups(n)} (${by}).`,
  'bound-says': (/** @type {number} */ n) => `Aucune partie ne dépasse ${n}, par dénombrement.`, 'proven-says': (/** @type {number} */ n) => `Aucune partie ne dépasse ${n} ; la preuve est à la page Limites.`,
  curve: 'Coups possibles au fil de la partie', 'moves-axis': 'coups',
  'own-start': (/** @type {string} */ rules, /** @type {number} */ dots) => `${rules} depuis ${dots} points à vous`,
  'choose-line': 'Quelle ligne ?', 'way-E': 'Horizontale', 'way-S': 'Verticale', 'way-SE': 'Diagonale descendante', 'way-NE': 'Diagonale montante',
  'from-dot': (/** @type {number} */ x, /** @type {number} */ y) => `depuis (${x}, ${y})`,
  hint: 'Indice', finish: 'Terminez pour moi', searching: 'Recherche …',
  'hint-says': (/** @type {number} */ n) => `Le point encerclé peut mener à ${n} ${coups(n)} au moins.`,
  finished: (/** @type {number} */ n) => `Terminée : ${n} ${coups(n)}. Votre partie est toujours là : reculez autant que vous voulez.`,
  'nothing-left': 'Aucun coup ne reste.', 'no-line': 'Aucune ligne ne peut être tracée avec un nouveau point ici.',
  share: 'Partager ou enregistrer', 'make-link': 'Un lien qui contient la partie', link: 'Lien', 'link-copied': 'Le lien est copié.',
  'bad-link': (/** @type {string} */ why) => `L’adresse ne contient pas de partie jouable. ${why}`,
  'over-kept': 'La partie est finie et gardée dans les archives.', 'saved-as': 'Gardée dans les archives.', 'draft-saved': 'Enregistrée au fil du jeu. Les parties inachevées attendent dans la', 'save-archive': 'Garder dans les archives',
  keys: 'Touches', 'key-arrows': '← → ↑ ↓', 'key-arrows-does': 'désigner un point', 'key-enter': 'Entrée', 'key-enter-does': 'y jouer', 'key-next': 'N, P', 'key-next-does': 'point possible suivant ou précédent',
  'key-undo': 'U, Ctrl+Z', 'key-undo-does': 'reculer', 'key-redo': 'R, Ctrl+Y', 'key-redo-does': 'avancer', 'key-legal': 'L', 'key-legal-does': 'coups possibles', 'key-hint': 'H', 'key-hint-does': 'indice',
  'draw-start-says': 'Touchez la grille pour placer des points, touchez encore pour les retirer. Tous les départs sont permis.', dots: (/** @type {number} */ n) => `${n} point${n > 1 ? 's' : ''}`, 'take-cross': 'Partir de la croix habituelle', begin: 'Commencer',
  'say-score': (/** @type {number} */ score, /** @type {number} */ left) => `${score} ${coups(score)}, ${left} possibles`,
  'say-over': (/** @type {number} */ score) => `${score} ${coups(score)}, aucun possible`,
  'say-choose': (/** @type {number} */ n) => `${n} lignes au choix`,
  'say-point': (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ n) => `${x}, ${y} : ${n ? `${n} ligne${n > 1 ? 's' : ''}` : 'aucune ligne'}`,

  'check-title': 'Cette partie est-elle légale ?',
  'check-says': 'Le juge rejoue chaque coup. Il lit Pentasol, MSR, JSON, le texte simple, et les images SVG et PNG faites ici. Pour une grille sur papier, il trouve un ordre dans lequel les lignes peuvent être tracées, ou dit lesquelles sont bloquées.',
  'paste-here': 'Collez une partie, ou déposez un fichier ici', 'or-file': 'Ou choisissez un fichier', 'if-unsaid': 'Si le fichier ne dit pas quel jeu', guess: 'Deviner', 'check-now': 'Vérifier', 'draw-lines': 'Plutôt dessiner les lignes',
  'draw-says': (/** @type {number} */ n) => `Touchez les deux bouts de chaque ligne de ${n} points, dans n’importe quel ordre.`, 'find-order': (/** @type {number} */ n) => `Trouver un ordre pour ${n} ligne${n > 1 ? 's' : ''}`,
  judging: 'Le juge travaille …', 'no-verdict': 'Le verdict apparaît ici.', 'file-too-large': 'Le fichier dépasse 8 Mo ; `morpion verify` en accepte de plus grands.',
  'verdict-legal': 'Légale', 'verdict-ordered': 'Les lignes peuvent être jouées', 'verdict-refused': 'Illégale', 'verdict-stuck': 'Certaines lignes ne pourront jamais être jouées',
  'legal-says': (/** @type {string} */ game, /** @type {number} */ n, /** @type {number} */ left) => `${game}, ${n} ${coups(n)}, ${left ? `encore ${left} possible${left > 1 ? 's' : ''}` : 'plus aucun possible'}.`,
  guessed: (/** @type {string} */ game) => `Le fichier ne dit pas quel jeu : pris pour ${game}.`, 'other-order': 'Dans un autre ordre, ses lignes pourraient être jouées.', 'format-is': (/** @type {string} */ name) => `Lu comme ${name}.`,
  'stuck-line': (/** @type {number} */ n) => `Ligne ${n} :`, 'stuck-missing': (/** @type {string} */ dots) => `il manque ${dots}`, 'stuck-full': 'tous ses points sont là, elle n’en ajoute aucun', 'go-on-playing': 'Continuer à jouer à partir d’ici',

  'replay-says': (/** @type {number} */ at, /** @type {number} */ all) => `La partie après ${at} coups sur ${all}`, play: 'Lire', pause: 'Pause', 'move-number': 'Coup', pace: 'Rythme', 'per-second': (/** @type {number} */ n) => `${n} coups par seconde`,

  'hunt-title': 'Chasser de longues parties', 'hunt-says': 'Les recherches tournent sur cette machine pendant que vous regardez. Le juge rejoue ce qu’elles trouvent.',
  'wish-method': 'Méthode', 'wish-seconds': 'Secondes', 'wish-threads': 'Fils', 'wish-seed': 'Graine', 'wish-target': 'S’arrêter à tant de coups', 'until-stopped': 'jusqu’à l’arrêt', drawn: 'tirée', 'more-settings': 'Plus de réglages',
  'from-mine': (/** @type {string} */ rules, /** @type {number} */ n) => `Partir de ma partie de la page Jouer (${rules}, ${n} ${coups(n)})`,
  'hunt-start': 'Lancer', 'hunt-stop': 'Arrêter', 'hunt-resume': 'Reprendre', 'hunt-forget': 'Oublier', 'hunt-play': 'Ouvrir dans Jouer', 'no-hunts': 'Pas encore de chasse. En 5D, 80 coups viennent en quelques secondes.',
  'status-running': 'en cours', 'status-stopped': 'arrêtée', 'status-done': 'finie', 'status-failed': 'échouée', 'per-second-word': 'par seconde', 'of-seconds': (/** @type {string} */ n) => `sur ${n} s`, 'no-limit': 'sans limite',
  'best-game': (/** @type {number} */ n) => `La meilleure partie jusqu’ici, ${n} ${coups(n)}`, 'score-time': 'Coups au fil du temps', 'seed-threads': (/** @type {number} */ seed, /** @type {number} */ n) => `graine ${seed}, ${n} fil${n > 1 ? 's' : ''}`,

  'gallery-title': 'Les parties que le juge a acceptées', 'gallery-says': 'Ce que les chasses ont trouvé et ce que les joueurs ont gardé, les plus longues d’abord.',
  'no-archive': 'Ce serveur ne garde pas d’archives.', 'no-games': 'Pas encore de partie ici. Lancez une chasse, ou gardez une partie à vous.', 'filter-game': 'Jeu', 'all-games': 'tous', 'filter-least': 'Au moins tant de coups', 'filter-method': 'Trouvée par', 'more-games': 'Plus', back: 'Retour à toutes les parties',
  'drafts-title': 'Parties inachevées', 'drafts-says': 'Enregistrées pendant qu’on les joue ; les 64 dernières. Une partie finie est gardée plus haut.',
  'found-by': (/** @type {string} */ how) => `trouvée par ${how}`, 'by-hand': 'jouée à la main',

  'limits-title': 'Combien de coups au plus ?', 'limits-says': 'Les plus longues parties publiées, et ce qu’aucune partie ne peut dépasser. Une preuve est ici un fichier que le juge, un petit programme à part, parcourt en nombres entiers ; demandez-le-lui maintenant si vous voulez.',
  'longer-lines': 'Avec des lignes plus longues, toute partie depuis la croix a douze coups, comme avec six.',
  'dots-word': 'Points', longest: 'Plus longue connue', 'at-most': 'Au plus', room: 'Atteint', proof: 'Preuve', endless: 'sans fin', exact: 'exact', 'by-proof': 'par une preuve fournie', 'by-formula': (/** @type {string} */ by) => `par ${by}`,
  'formula-says': (/** @type {number} */ n, /** @type {string} */ by) => `Par ${by} seul : ${n}.`, 'argument-only': 'l’argument est la preuve', 'check-it': 'Vérifier maintenant', 'proven-in': (/** @type {string} */ s) => `prouvé, ${s} s`,

  'reduce-title': 'Pourquoi le jeu est difficile', 'reduce-says': 'Une formule 3-SAT devient un motif de points depuis lequel une longue partie existe exactement si la formule peut être satisfaite (Demaine, Demaine, Langerman et Langerman 2006). La preuve est refaite pour chaque motif.',
  formula: 'Formule (DIMACS)', 'make-pattern': 'Faire le motif', working: 'Au travail …', 'no-pattern': 'Faites le motif pour choisir un modèle et jouer sa partie.', 'pattern-picture': (/** @type {number} */ n) => `Le motif, ${n} points, ses gadgets en couleurs`,
  model: 'Un modèle', 'model-says': 'Choisissez ce qui est vrai, et jouez la partie qui le dit.', variable: (/** @type {number} */ n, /** @type {boolean} */ yes) => `x${n} est ${yes ? 'vrai' : 'faux'}`, 'play-model': 'Jouer ce modèle',
  'model-reaches': (/** @type {number} */ n, /** @type {number} */ needed) => `${n} coups, et il en faut ${needed} : le modèle satisfait la formule.`, 'model-fails': (/** @type {number} */ n, /** @type {number} */ needed) => `${n} coups sur les ${needed} qu’il faut : une clause est fausse.`,

  'learn-title': 'Des joueurs qui apprennent seuls', 'learn-says': 'Un réseau joue des parties, chacune est classée parmi les récentes, et il apprend de celles qui ont réussi. Les dossiers donnés à `morpion serve --training` sont montrés ici pendant que leurs entraînements avancent.',
  'no-trainings': 'Pas encore d’entraînement. Commencez-en un, et dites au serveur où il est :', iterations: (/** @type {number} */ n) => (n <= 1 ? 'itération' : 'itérations'), 'mean-word': 'moyenne des parties', 'best-word': 'meilleure partie', 'threshold-word': 'seuil', 'learning-curve': 'Coups au fil des itérations',
  'policy-loss': 'perte de la politique', 'value-loss': 'perte de la valeur', losses: 'Pertes au fil des itérations', parameters: 'Paramètres', ago: (/** @type {number} */ s) => (s < 120 ? `changé il y a ${s} s` : s < 7200 ? `changé il y a ${Math.round(s / 60)} min` : s < 172800 ? `changé il y a ${Math.round(s / 3600)} h` : `changé il y a ${Math.round(s / 86400)} jours`),

  'board-title': 'Un plateau et son programme linéaire', 'board-about': 'Si tous les points sont sur un plateau, un programme linéaire borne le nombre de coups. Plus c’est foncé, plus le point ou la ligne compte dans sa solution ; le juge prouve la borne en nombres entiers.',
  'board-solve': 'Résoudre', 'board-proven': (/** @type {string} */ claim, /** @type {string} */ value) => `${claim}, prouvé ; valeur ${value}`, 'board-picture': 'La solution en nuances',
  'runs-title': 'Campagnes', 'run-name': 'Plan', 'run-state': 'État', 'run-done': 'Faites', 'run-open': 'À faire', 'run-failed': 'Échouées', 'run-best': 'Meilleure', 'run-running': 'en cours', 'run-stopped': 'arrêtée', 'run-over': 'finie', 'run-mishaps': (/** @type {number} */ n) => `Ce qui s’est mal passé (${n})`,
};
