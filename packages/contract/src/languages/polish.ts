import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Proszę podać adres e-mail, który może odbierać wiadomości.';

export const POLISH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Nie mogliśmy teraz sprawdzić tego adresu. Spróbuj ponownie.',
  checking: 'Sprawdzamy adres…',
  suggestion: 'Czy chodziło o {address}?',
  accept: 'Użyj {address}',
};

export const POLISH: Language = {
  tag: 'pl',
  form: POLISH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Proszę użyć stałego adresu e-mail.',
    mx: 'Ten adres nie może odbierać wiadomości. Sprawdź część po znaku @.',
    roleEmail: 'Proszę użyć osobistego adresu e-mail zamiast wspólnej skrzynki.',
    alias: 'Proszę użyć głównego adresu swojej skrzynki.',
    device: 'Nie mogliśmy automatycznie przyjąć tej rejestracji. Skontaktuj się z pomocą techniczną.',
    ip: 'Nie mogliśmy zweryfikować tej rejestracji. Spróbuj ponownie z innego połączenia.',
    localPart: 'U tego dostawcy nie ma takiego adresu. Sprawdź część przed znakiem @.',
  },
  again: 'Proszę sprawdzić swój adres e-mail i wysłać formularz ponownie.',
  withScript: 'Proszę włączyć JavaScript w przeglądarce i wysłać formularz ponownie.',
  goBack: 'Proszę wrócić i spróbować ponownie.',
};
