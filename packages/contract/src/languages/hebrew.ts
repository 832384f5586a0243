import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'יש להזין כתובת דוא״ל שיכולה לקבל הודעות.';

// U+2066 and U+2069 keep the address in one piece, left to right, inside a sentence from right to left.
export const HEBREW_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'לא הצלחנו לבדוק את הכתובת הזו כרגע. יש לנסות שוב.',
  checking: 'בודקים את הכתובת…',
  suggestion: 'האם התכוונת אל \u2066{address}\u2069?',
  accept: 'שימוש בכתובת \u2066{address}\u2069',
};

export const HEBREW: Language = {
  tag: 'he',
  form: HEBREW_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'יש להשתמש בכתובת דוא״ל קבועה.',
    mx: 'כתובת זו אינה יכולה לקבל הודעות. יש לבדוק את החלק שאחרי הסימן @.',
    roleEmail: 'יש להשתמש בכתובת הדוא״ל האישית במקום בתיבה משותפת.',
    alias: 'יש להשתמש בכתובת הראשית של תיבת הדואר.',
    device: 'לא הצלחנו לאשר את ההרשמה הזו באופן אוטומטי. יש לפנות לתמיכה.',
    ip: 'לא הצלחנו לאמת את ההרשמה הזו. יש לנסות שוב מחיבור אחר.',
    localPart: 'כתובת כזו אינה קיימת אצל ספק הדואר הזה. יש לבדוק את החלק שלפני הסימן @.',
  },
  again: 'יש לבדוק את כתובת הדוא״ל ולשלוח את הטופס שוב.',
  withScript: 'יש להפעיל JavaScript בדפדפן ולשלוח את הטופס שוב.',
  goBack: 'יש לחזור אחורה ולנסות שוב.',
};
