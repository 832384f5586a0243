import type { VerdictUndo, WrongAnswers, WrongAnswersUndone } from '@postern/contract/dashboard';
import { markWrong, undoWrong } from '../administration/wrong-answers.ts';
import { type DashboardRoute, fieldsOf, ok, param, refuseOtherFields } from './route.ts';

export const wrongAnswerRoutes: DashboardRoute[] = [
  {
    method: 'POST',
    path: '/projects/:id/wrong',
    access: 'analyst',
    run: async (call) => {
      refuseOtherFields(call, ['validations']);
      const { validations } = fieldsOf<WrongAnswers>(call);
      return ok(await markWrong(call.admin, param(call, 'id'), validations));
    },
  },
  {
    method: 'POST',
    path: '/projects/:id/wrong/undo',
    access: 'analyst',
    run: async (call) => {
      refuseOtherFields(call, ['undo']);
      const { undo } = fieldsOf<{ undo: VerdictUndo[] }>(call);
      const undone = await undoWrong(call.admin, param(call, 'id'), undo);
      return ok({ undone } satisfies WrongAnswersUndone);
    },
  },
];
