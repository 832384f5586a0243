import type { Language } from './language.ts';

export const FRENCH: Language = {
  messages: {
    syntax: 'Veuillez saisir une adresse e-mail qui peut recevoir des messages.',
    disposable: 'Veuillez utiliser une adresse e-mail permanente.',
    mx: 'Cette adresse ne peut pas recevoir de messages. Veuillez vérifier la partie après le @.',
    roleEmail: 'Veuillez utiliser votre adresse e-mail personnelle plutôt qu’une boîte partagée.',
    alias: 'Veuillez utiliser l’adresse principale de votre boîte mail.',
    device:
      'Nous n’avons pas pu accepter cette inscription automatiquement. Veuillez contacter l’assistance.',
    ip: 'Nous n’avons pas pu vérifier cette inscription. Veuillez réessayer depuis une autre connexion.',
  },
  unavailable: 'Nous n’avons pas pu vérifier cette adresse pour le moment. Veuillez réessayer.',
  suggestion: 'Vouliez-vous dire {address} ?',
  accept: 'Utiliser {address}',
};
