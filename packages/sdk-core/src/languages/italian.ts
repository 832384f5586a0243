import type { Language } from './language.ts';

export const ITALIAN: Language = {
  messages: {
    syntax: 'Inserisci un indirizzo e-mail che possa ricevere messaggi.',
    disposable: 'Usa un indirizzo e-mail permanente.',
    mx: 'Questo indirizzo non può ricevere messaggi. Controlla la parte dopo la @.',
    roleEmail: 'Usa il tuo indirizzo e-mail personale invece di una casella condivisa.',
    alias: 'Usa l’indirizzo principale della tua casella.',
    device: 'Non è stato possibile accettare automaticamente questa registrazione. Contatta l’assistenza.',
    ip: 'Non è stato possibile verificare questa registrazione. Riprova da un’altra connessione.',
  },
  unavailable: 'Al momento non è stato possibile verificare questo indirizzo. Riprova.',
  suggestion: 'Intendevi {address}?',
  accept: 'Usa {address}',
};
