/** The part of the package that the tests use. It has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface ProviderContext {
    readonly path: string;
    readonly querystring: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly oidc: {
      readonly provider: Provider & { Grant: new (of: { clientId: string; accountId: string }) => Grant };
      readonly client?: { readonly clientId: string };
      readonly session?: { readonly accountId?: string };
      readonly body?: Readonly<Record<string, string>>;
    };
    respond: boolean;
    body: unknown;
  }

  export interface Configuration {
    readonly [name: string]: unknown;
    readonly interactions?: { readonly url: (context: unknown, interaction: { uid: string }) => string };
    readonly findAccount?: (context: unknown, subject: string) => unknown;
    readonly loadExistingGrant?: (context: ProviderContext) => Promise<Grant>;
  }

  // biome-ignore lint/style/noDefaultExport: the package has one
  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    readonly Client: {
      find(id: string): Promise<{ backchannelLogout(subject: string): Promise<void> } | undefined>;
    };
    callback(): RequestListener;
    use(middleware: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
    ): Promise<void>;
  }
}
