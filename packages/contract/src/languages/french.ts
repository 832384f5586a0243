import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Veuillez saisir une adresse e-mail qui peut recevoir des messages.';

export const FRENCH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Nous n’avons pas pu vérifier cette adresse pour le moment. Veuillez réessayer.',
  checking: 'Vérification de l’adresse…',
  suggestion: 'Vouliez-vous dire {address} ?',
  accept: 'Utiliser {address}',
};

export const FRENCH: Language = {
  tag: 'fr',
  form: FRENCH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Veuillez utiliser une adresse e-mail permanente.',
    mx: 'Cette adresse ne peut pas recevoir de messages. Veuillez vérifier la partie après le @.',
    roleEmail: 'Veuillez utiliser votre adresse e-mail personnelle plutôt qu’une boîte partagée.',
    alias: 'Veuillez utiliser l’adresse principale de votre boîte mail.',
    device:
      'Nous n’avons pas pu accepter cette inscription automatiquement. Veuillez contacter l’assistance.',
    ip: 'Nous n’avons pas pu vérifier cette inscription. Veuillez réessayer depuis une autre connexion.',
    localPart: 'Cette adresse n’existe pas chez ce fournisseur. Veuillez vérifier la partie avant le @.',
  },
  again: 'Veuillez vérifier votre adresse e-mail et envoyer de nouveau le formulaire.',
  withScript: 'Veuillez activer JavaScript dans votre navigateur et envoyer de nouveau le formulaire.',
  goBack: 'Veuillez revenir en arrière et réessayer.',
};
