import { signalMeaning } from './check-names.ts';

export function SignalList({ signals }: { signals: readonly string[] }) {
  return (
    <dl className="grid content-start gap-1.5 text-[0.9rem]">
      {signals.map((signal) => (
        <div key={signal}>
          <dt className="font-mono text-[0.8333rem]">{signal}</dt>
          <dd className="text-soft">{signalMeaning(signal)}</dd>
        </div>
      ))}
    </dl>
  );
}
