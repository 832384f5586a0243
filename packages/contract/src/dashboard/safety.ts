/** Where a setting is changed: on a page of the project, or in the service’s environment. */
type SafetyPlace = 'policy' | 'settings' | 'keys' | 'environment';

export type SafetyItemId =
  | 'client-overrides'
  | 'visitor-rate'
  | 'server-reserve'
  | 'demo-keys'
  | 'client-address'
  | 'metrics'
  | 'doors';

/** One setting that strangers could take advantage of. */
export interface SafetyItem {
  id: SafetyItemId;
  title: string;
  safe: boolean;
  finding: string;
  /** What to do; `null` when the setting is safe. */
  fix: string | null;
  place: SafetyPlace;
  /** The projects that it is about; empty when it is about the whole service. */
  projects: string[];
}

export interface SafetyView {
  items: SafetyItem[];
}
