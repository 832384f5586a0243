import { createElement, type FunctionComponent } from 'react';
import { act, create, type ReactTestRenderer } from 'react-test-renderer';
import { expect, vi } from 'vitest';
import {
  PERMANENT,
  type ReadmeSetup,
  type SnippetRuns,
  THROWAWAY,
} from '../../../sdk/test/support/readme-setup.ts';
import type { PosternClient as NativeClient } from '../../src/index.ts';

/** The snippets for apps. */
export const nativeRuns = (setup: ReadmeSetup): SnippetRuns => ({
  'sdk-react-native/expo-app.ts': () =>
    namesItself(setup, 'sdk-react-native/expo-app.ts', 'com.example.shop'),
  'sdk-react-native/bare-app.ts': () =>
    namesItself(setup, 'sdk-react-native/bare-app.ts', 'com.example.bank'),

  'sdk-react-native/own-id.ts': async () => {
    type Module = { posternWith(storage: unknown): NativeClient };
    const { posternWith } = await setup.folder.inNode<Module>(
      'sdk-react-native/own-id.ts',
      setup.service.url,
    );
    const kept = new Map<string, string>();
    const storage = {
      getItem: async (key: string) => kept.get(key) ?? null,
      setItem: async (key: string, value: string) => kept.set(key, value),
    };
    for (const start of [1, 2]) await posternWith(storage).validate(`jane${start}@gmail.com`);
    const [first, second] = setup.service.requests.map(({ body }) => body.fingerprintHash);
    expect(first).toMatch(/^n1_/);
    expect(second).toBe(first);
  },

  'sdk-react-native/sign-up-screen.tsx': async () => {
    type Module = { SignUpScreen: FunctionComponent<{ onVerified: (sent: object) => void }> };
    const { SignUpScreen } = await setup.folder.inNode<Module>(
      'sdk-react-native/sign-up-screen.tsx',
      setup.service.url,
    );
    const sent: object[] = [];
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    let screen = {} as ReactTestRenderer;
    await act(async () => {
      screen = create(createElement(SignUpScreen, { onVerified: (verified) => sent.push(verified) }));
    });
    const elements = (name: string) => screen.root.findAll(({ type }) => String(type) === name);
    const submit = async (email: string) => {
      await act(async () => elements('TextInput')[0]?.props.onChangeText(email));
      await act(() => screen.root.findByProps({ title: 'Sign up' }).props.onPress());
    };
    await submit(THROWAWAY);
    expect(elements('Text')[0]?.children).toEqual([PERMANENT]);
    await submit('janedoe@gmial.com');
    expect(elements('Button').map(({ props }) => props.title)).toContain('Use janedoe@gmail.com');
    expect(sent).toEqual([]);
    await submit('janedoe@gmail.com');
    expect(sent).toEqual([{ email: 'janedoe@gmail.com', verdict: expect.stringMatching(/\./) }]);
    await act(async () => screen.unmount());
  },

  'sdk-react-native/form.ts': async () => {
    type App = { postern: NativeClient };
    type Module = { signUp(postern: NativeClient, email: string): Promise<Record<string, unknown>> };
    const { postern } = await setup.folder.inNode<App>('sdk-react-native/expo-app.ts', setup.service.url);
    const { signUp } = await setup.folder.inNode<Module>('sdk-react-native/form.ts', setup.service.url);
    expect(await signUp(postern, THROWAWAY)).toEqual({ problem: PERMANENT, suggestion: null });
    expect((await signUp(postern, 'janedoe@gmail.com')).verdict).toMatch(/\./);
  },
});

async function namesItself(setup: ReadmeSetup, id: string, appId: string): Promise<void> {
  const { postern } = await setup.folder.inNode<{ postern: NativeClient }>(id, setup.service.url);
  await postern.validate('janedoe@gmail.com');
  expect(setup.service.requests[0]?.headers.origin).toBe(`app://${appId}`);
}
