import type { Language } from './language.ts';

export const POLISH: Language = {
  messages: {
    syntax: 'Podaj adres e-mail, który może odbierać wiadomości.',
    disposable: 'Użyj stałego adresu e-mail.',
    mx: 'Ten adres nie może odbierać wiadomości. Sprawdź część po znaku @.',
    roleEmail: 'Użyj osobistego adresu e-mail zamiast wspólnej skrzynki.',
    alias: 'Użyj głównego adresu swojej skrzynki.',
    device: 'Nie mogliśmy automatycznie przyjąć tej rejestracji. Skontaktuj się z pomocą techniczną.',
    ip: 'Nie mogliśmy zweryfikować tej rejestracji. Spróbuj ponownie z innego połączenia.',
  },
  unavailable: 'Nie mogliśmy teraz sprawdzić tego adresu. Spróbuj ponownie.',
  suggestion: 'Czy chodziło o {address}?',
  accept: 'Użyj {address}',
};
