import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Anna sähköpostiosoite, joka voi vastaanottaa viestejä.';

export const FINNISH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Emme voineet tarkistaa tätä osoitetta juuri nyt. Yritä uudelleen.',
  checking: 'Osoitetta tarkistetaan…',
  suggestion: 'Tarkoititko {address}?',
  accept: 'Käytä osoitetta {address}',
};

export const FINNISH: Language = {
  tag: 'fi',
  form: FINNISH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Käytä pysyvää sähköpostiosoitetta.',
    mx: 'Tämä osoite ei voi vastaanottaa viestejä. Tarkista @-merkin jälkeinen osa.',
    roleEmail: 'Käytä henkilökohtaista sähköpostiosoitettasi jaetun postilaatikon sijaan.',
    alias: 'Käytä postilaatikkosi pääosoitetta.',
    device: 'Emme voineet hyväksyä tätä rekisteröitymistä automaattisesti. Ota yhteyttä asiakastukeen.',
    ip: 'Emme voineet vahvistaa tätä rekisteröitymistä. Yritä uudelleen toisen yhteyden kautta.',
    localPart: 'Tällaista osoitetta ei ole tällä palveluntarjoajalla. Tarkista @-merkkiä edeltävä osa.',
  },
  again: 'Tarkista sähköpostiosoitteesi ja lähetä lomake uudelleen.',
  withScript: 'Ota JavaScript käyttöön selaimessasi ja lähetä lomake uudelleen.',
  goBack: 'Palaa takaisin ja yritä uudelleen.',
};
