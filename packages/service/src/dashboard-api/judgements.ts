import { judge, undoJudgements } from '../administration/judgements.ts';
import { type DashboardHandlers, ok } from '../operations/operation.ts';

export const judgementRoutes = {
  'POST /projects/:id/judge': async (call) => ok(await judge(call.admin, call.params.id, call.body)),
  'POST /projects/:id/judge/undo': async (call) => {
    const { undo } = call.body;
    return ok({ undone: await undoJudgements(call.admin, call.params.id, undo) });
  },
} satisfies Partial<DashboardHandlers>;
