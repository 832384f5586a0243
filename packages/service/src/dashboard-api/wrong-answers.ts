import type { WrongAnswersUndone } from '@postern/contract/dashboard';
import { markWrong, undoWrong } from '../administration/wrong-answers.ts';
import { type DashboardHandlers, ok } from './route.ts';

export const wrongAnswerRoutes = {
  'POST /projects/:id/wrong': async (call) => {
    const { validations } = call.fields();
    return ok(await markWrong(call.admin, call.params.id, validations));
  },
  'POST /projects/:id/wrong/undo': async (call) => {
    const { undo } = call.fields();
    const undone = await undoWrong(call.admin, call.params.id, undo);
    return ok({ undone } satisfies WrongAnswersUndone);
  },
} satisfies Partial<DashboardHandlers>;
