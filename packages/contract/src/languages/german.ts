import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Bitte geben Sie eine E-Mail-Adresse ein, die E-Mails empfangen kann.';

export const GERMAN_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Wir konnten diese Adresse gerade nicht prüfen. Bitte versuchen Sie es noch einmal.',
  checking: 'Die Adresse wird geprüft…',
  suggestion: 'Meinten Sie {address}?',
  accept: '{address} verwenden',
};

export const GERMAN: Language = {
  tag: 'de',
  form: GERMAN_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Bitte verwenden Sie eine dauerhafte E-Mail-Adresse.',
    mx: 'Diese Adresse kann keine E-Mails empfangen. Bitte prüfen Sie den Teil nach dem @.',
    roleEmail: 'Bitte verwenden Sie Ihre persönliche E-Mail-Adresse statt eines gemeinsamen Postfachs.',
    alias: 'Bitte verwenden Sie die Hauptadresse Ihres Postfachs.',
    device:
      'Wir konnten diese Registrierung nicht automatisch annehmen. Bitte wenden Sie sich an den Support.',
    ip: 'Wir konnten diese Registrierung nicht prüfen. Bitte versuchen Sie es über eine andere Verbindung.',
    localPart: 'Diese Adresse gibt es bei ihrem Anbieter nicht. Bitte prüfen Sie den Teil vor dem @.',
  },
  again: 'Bitte prüfen Sie Ihre E-Mail-Adresse und senden Sie das Formular noch einmal ab.',
  withScript:
    'Bitte schalten Sie JavaScript in Ihrem Browser ein und senden Sie das Formular noch einmal ab.',
  goBack: 'Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
};
