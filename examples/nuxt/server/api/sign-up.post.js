import { checkEvent, getSignUp } from 'postern~sdk-node';

export default defineEventHandler(async (event) => {
  const refused = await checkEvent(postern, event);
  if (refused) return refused;
  return { welcome: getSignUp(event).email };
});
