import type { FormTexts, Language } from './language.ts';

const MALFORMED = '메일을 받을 수 있는 이메일 주소를 입력해 주세요.';

export const KOREAN_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: '지금은 이 주소를 확인할 수 없습니다. 다시 시도해 주세요.',
  checking: '주소를 확인하고 있습니다…',
  suggestion: '{address} 주소를 입력하려고 하셨나요?',
  accept: '{address} 사용',
};

export const KOREAN: Language = {
  tag: 'ko',
  form: KOREAN_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: '계속 사용할 이메일 주소를 입력해 주세요.',
    mx: '이 주소로는 메일을 받을 수 없습니다. @ 뒷부분을 확인해 주세요.',
    roleEmail: '공용 메일함 대신 개인 이메일 주소를 사용해 주세요.',
    alias: '메일함의 기본 주소를 사용해 주세요.',
    device: '이 가입을 자동으로 처리할 수 없습니다. 고객 지원에 문의해 주세요.',
    ip: '이 가입을 확인할 수 없습니다. 다른 네트워크에서 다시 시도해 주세요.',
    localPart: '이 메일 서비스에는 그런 주소가 없습니다. @ 앞부분을 확인해 주세요.',
  },
  again: '이메일 주소를 확인하고 양식을 다시 보내 주세요.',
  withScript: '브라우저에서 JavaScript를 켜고 양식을 다시 보내 주세요.',
  goBack: '뒤로 돌아가서 다시 시도해 주세요.',
};
