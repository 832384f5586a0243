import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Zadejte prosím e-mailovou adresu, která může přijímat zprávy.';

export const CZECH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Tuto adresu se teď nepodařilo ověřit. Zkuste to prosím znovu.',
  checking: 'Kontrolujeme adresu…',
  suggestion: 'Měli jste na mysli {address}?',
  accept: 'Použít {address}',
};

export const CZECH: Language = {
  tag: 'cs',
  form: CZECH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Použijte prosím trvalou e-mailovou adresu.',
    mx: 'Tato adresa nemůže přijímat zprávy. Zkontrolujte prosím část za znakem @.',
    roleEmail: 'Použijte prosím svou osobní e-mailovou adresu místo sdílené schránky.',
    alias: 'Použijte prosím hlavní adresu své schránky.',
    device: 'Tuto registraci se nepodařilo přijmout automaticky. Obraťte se prosím na podporu.',
    ip: 'Tuto registraci se nepodařilo ověřit. Zkuste to prosím znovu z jiného připojení.',
    localPart: 'U tohoto poskytovatele taková adresa neexistuje. Zkontrolujte prosím část před znakem @.',
  },
  again: 'Zkontrolujte prosím svou e-mailovou adresu a odešlete formulář znovu.',
  withScript: 'Zapněte prosím ve svém prohlížeči JavaScript a odešlete formulář znovu.',
  goBack: 'Vraťte se prosím zpět a zkuste to znovu.',
};
