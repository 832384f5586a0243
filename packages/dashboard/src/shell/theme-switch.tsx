import { useSyncExternalStore } from 'react';
import { Choice } from '../components/choice.tsx';
import { Monitor, Moon, Sun } from '../icons.ts';
import { applyTheme, onTheme, readTheme, type Theme } from './theme.ts';

const icon = (Icon: typeof Sun, name: string) => (
  <>
    <Icon size={15} aria-hidden="true" />
    <span className="sr-only">{name}</span>
  </>
);

const OPTIONS: readonly { value: Theme; label: React.ReactNode }[] = [
  { value: 'system', label: icon(Monitor, 'As the system') },
  { value: 'light', label: icon(Sun, 'Light') },
  { value: 'dark', label: icon(Moon, 'Dark') },
];

export function ThemeSwitch() {
  const theme = useSyncExternalStore(onTheme, readTheme);
  return <Choice label="Colours" hideLabel value={theme} options={OPTIONS} onChange={applyTheme} />;
}
