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
    plain: {
      syntax: MALFORMED,
      disposable: 'Usa un indirizzo e-mail permanente.',
      mx: 'Questo indirizzo non può ricevere messaggi. Controlla la parte dopo la @.',
      roleEmail: 'Usa il tuo indirizzo e-mail personale invece di una casella condivisa.',
      alias: 'Usa l’indirizzo principale della tua casella.',
      device: 'Non è stato possibile accettare automaticamente questa registrazione. Contatta l’assistenza.',
      ip: 'Non è stato possibile verificare questa registrazione. Riprova da un’altra connessione.',
    },
    friendly: {
      syntax: 'Forse non riusciamo a scrivere a questo indirizzo. Puoi controllarlo?',
      disposable: 'Ci piacerebbe restare in contatto: puoi usare un indirizzo che conservi?',
      mx: 'Non riusciamo a raggiungere questo indirizzo. La parte dopo la @ è scritta bene?',
      roleEmail: 'Puoi usare il tuo indirizzo invece di una casella condivisa?',
      alias: 'Puoi usare l’indirizzo principale della tua casella?',
      device:
        'Non siamo riusciti a completare la registrazione in automatico. Scrivici e troveremo una soluzione.',
      ip: 'Non siamo riusciti a verificare la registrazione. Puoi provare da un’altra connessione?',
    },
  },
  again: 'Controlla il tuo indirizzo e-mail e invia di nuovo il modulo.',
  withScript: 'Attiva JavaScript nel tuo browser e invia di nuovo il modulo.',
  goBack: 'Torna indietro e riprova.',
};
