import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Inserisci un indirizzo e-mail che possa ricevere messaggi.';

export const ITALIAN_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Al momento non è stato possibile verificare questo indirizzo. Riprova.',
  checking: 'Verifica dell’indirizzo in corso…',
  suggestion: 'Intendevi {address}?',
  accept: 'Usa {address}',
};

export const ITALIAN: Language = {
  tag: 'it',
  form: ITALIAN_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Usa un indirizzo e-mail permanente.',
    mx: 'Questo indirizzo non può ricevere messaggi. Controlla la parte dopo la @.',
    roleEmail: 'Usa il tuo indirizzo e-mail personale invece di una casella condivisa.',
    alias: 'Usa l’indirizzo principale della tua casella.',
    device: 'Non è stato possibile accettare automaticamente questa registrazione. Contatta l’assistenza.',
    ip: 'Non è stato possibile verificare questa registrazione. Riprova da un’altra connessione.',
    localPart: 'Questo provider non ha un indirizzo del genere. Controlla la parte prima della @.',
  },
  again: 'Controlla il tuo indirizzo e-mail e invia di nuovo il modulo.',
  withScript: 'Attiva JavaScript nel tuo browser e invia di nuovo il modulo.',
  goBack: 'Torna indietro e riprova.',
};
