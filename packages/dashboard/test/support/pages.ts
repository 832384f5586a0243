import type { Page } from 'playwright';
import { settled } from './dashboard-page.ts';

export interface DashboardPage {
  readonly name: string;
  /** None: it goes on where the one before it ended, with that one’s dialog or menu closed. */
  readonly path?: string;
  /** The steps that make it show all its parts. */
  readonly open?: (page: Page) => Promise<unknown>;
}

export const PROJECT = '/projects/acme-web';
const UNUSED = '/projects/acme-mobile';

const openRowMenu = (page: Page) =>
  page
    .getByRole('button', { name: /^Actions for/ })
    .nth(1)
    .click();

/** Every page, with its dialogs. */
export const PAGES: readonly DashboardPage[] = [
  { name: 'projects', path: '/' },
  {
    name: 'new project',
    open: async (page) => {
      await page.getByRole('button', { name: 'New project' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'overview', path: `${PROJECT}?days=30` },
  {
    name: 'overview as tables',
    open: (page) =>
      page
        .getByRole('group', { name: /Recommendations/ })
        .getByRole('radio', { name: 'Table' })
        .check(),
  },
  {
    name: 'jump menu',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
    },
  },
  {
    name: 'a validation',
    path: `${PROJECT}/validations?check=disposable`,
    open: async (page) => {
      await page.locator('tbody a').first().click();
      await page.getByRole('heading', { name: 'The request' }).waitFor();
    },
  },
  { name: 'validations', path: `${PROJECT}/validations` },
  {
    name: 'the menu of a row',
    open: async (page) => {
      await openRowMenu(page);
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'block a domain',
    open: async (page) => {
      await openRowMenu(page);
      await page.getByRole('menuitem', { name: 'Block the domain…' }).click();
      await page.getByRole('dialog', { name: 'Block this domain' }).waitFor();
    },
  },
  {
    name: 'erase a person',
    open: async (page) => {
      await openRowMenu(page);
      await page.getByRole('menuitem', { name: 'Erase this person…' }).click();
      await page.getByRole('dialog').getByText('The project stores').waitFor();
    },
  },
  {
    name: 'a person',
    open: async (page) => {
      await openRowMenu(page);
      await page.getByRole('menuitem', { name: 'Show this person' }).click();
      await page.getByRole('heading', { name: /\*\*\*@/, level: 1 }).waitFor();
      await settled(page);
    },
  },
  {
    name: 'mark everybody at a domain',
    path: `${PROJECT}/thing?domain=gmail.com`,
    open: async (page) => {
      await page.getByRole('button', { name: 'Mark its people…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'a domain', path: `${PROJECT}/thing?domain=mailinator.com&days=30` },
  { name: 'a network', path: `${PROJECT}/thing?network=81.2.69.0/24&days=30` },
  { name: 'devices', path: `${PROJECT}/things/device` },
  {
    name: 'a device',
    open: async (page) => {
      await page.locator('tbody a').first().click();
      await page.getByRole('heading', { name: 'Linked with it' }).waitFor();
    },
  },
  { name: 'campaigns', path: `${PROJECT}/campaigns` },
  {
    name: 'a campaign',
    open: async (page) => {
      // Of the farm. One of names alone has nothing that could be blocked.
      await page
        .locator('tbody')
        .getByRole('link', { name: /device|198\.51\.100\./ })
        .first()
        .click();
      await page.getByRole('heading', { name: /^Campaign: /, level: 1 }).waitFor();
    },
  },
  {
    name: 'block a campaign',
    open: async (page) => {
      await page.getByRole('button', { name: 'Block all of it…' }).click();
      await page.getByRole('dialog', { name: 'Block what is behind it' }).waitFor();
    },
  },
  { name: 'review', path: `${PROJECT}/review` },
  { name: 'alerts', path: `${PROJECT}/alerts` },
  { name: 'what works', path: `${PROJECT}/what-works` },
  { name: 'webhooks', path: `${PROJECT}/webhooks` },
  {
    name: 'new webhook',
    open: async (page) => {
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'keys', path: `${PROJECT}/keys` },
  {
    name: 'new key',
    open: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'claims', path: `${PROJECT}/claims` },
  {
    name: 'a checked file',
    path: `${PROJECT}/bulk`,
    open: async (page) => {
      const buffer = Buffer.from('email\njane.doe@gmail.com\nx@mailinator.com\nnonsense\n');
      await page.getByLabel(/Drop a CSV file/).setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Check 3 rows' }).click();
      await page.getByText('Checked 3 of 3 rows').waitFor();
    },
  },
  { name: 'policy', path: `${PROJECT}/policy` },
  {
    name: 'time machine',
    open: async (page) => {
      await page.getByRole('group', { name: 'When Role address fails' }).getByText('Block').click();
      await page.getByRole('button', { name: 'See what would change' }).click();
      await page.getByText('replayed').waitFor();
    },
  },
  { name: 'history of the policy', path: `${PROJECT}/policy-history` },
  { name: 'rules', path: `${PROJECT}/rules` },
  {
    name: 'try an address',
    open: async (page) => {
      await page.getByRole('button', { name: 'Try an address' }).click();
      await page.getByRole('button', { name: 'A throwaway' }).click();
      await page.getByText('HTTP 200').waitFor();
    },
  },
  {
    name: 'ready-made rules',
    open: async (page) => {
      await page.getByRole('button', { name: 'Ready-made rules…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a new rule',
    path: `${PROJECT}/new-rule?when=email.class+%3D%3D+%22free%22`,
    open: (page) => page.getByRole('region', { name: 'Examples' }).waitFor(),
  },
  { name: 'a rule', path: `${PROJECT}/rules/free?days=30` },
  { name: 'the editor of a rule', path: `${PROJECT}/rules/free/edit` },
  { name: 'lists', path: `${PROJECT}/lists` },
  { name: 'allowed domains', path: `${PROJECT}/origins` },
  { name: 'settings', path: `${PROJECT}/settings` },
  {
    name: 'archive',
    open: async (page) => {
      await page.getByRole('button', { name: 'Archive…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'audit log', path: `${PROJECT}/audit` },
  { name: 'an unused project', path: UNUSED },
  { name: 'an empty log', path: `${UNUSED}/validations` },
  { name: 'an empty queue', path: `${UNUSED}/review` },
  { name: 'no outcomes', path: `${UNUSED}/what-works` },
  { name: 'no webhooks', path: `${UNUSED}/webhooks` },
  { name: 'no alerts', path: `${UNUSED}/alerts` },
  { name: 'members', path: '/members' },
  {
    name: 'an invitation',
    open: async (page) => {
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog').getByText('selected projects', { exact: true }).click();
      await page.getByLabel('Role in Acme web').waitFor();
    },
  },
  { name: 'account', path: '/account' },
  { name: 'health', path: '/health' },
  { name: 'workspace audit log', path: '/audit' },
  { name: 'no such page', path: '/no-such-page' },
];
