import type { Language } from './language.ts';

export const GERMAN: Language = {
  messages: {
    syntax: 'Bitte geben Sie eine E-Mail-Adresse ein, die E-Mails empfangen kann.',
    disposable: 'Bitte verwenden Sie eine dauerhafte E-Mail-Adresse.',
    mx: 'Diese Adresse kann keine E-Mails empfangen. Bitte prüfen Sie den Teil nach dem @.',
    roleEmail: 'Bitte verwenden Sie Ihre persönliche E-Mail-Adresse statt eines gemeinsamen Postfachs.',
    alias: 'Bitte verwenden Sie die Hauptadresse Ihres Postfachs.',
    device: 'Wir konnten diese Anmeldung nicht automatisch annehmen. Bitte wenden Sie sich an den Support.',
    ip: 'Wir konnten diese Anmeldung nicht prüfen. Bitte versuchen Sie es über eine andere Verbindung.',
  },
  unavailable: 'Wir konnten diese Adresse gerade nicht prüfen. Bitte versuchen Sie es noch einmal.',
  suggestion: 'Meinten Sie {address}?',
  accept: '{address} verwenden',
};
