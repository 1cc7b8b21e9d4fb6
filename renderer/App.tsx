/** Which screen is shown, the keyboard, and the overlays. */
import { useEffect, useMemo, useState } from 'react';
import { type Command, commandFor, commandsAt, commandsOf, type Scene } from './commands.ts';
import { Library } from './panes/Library.tsx';
import { go, store } from './store.ts';
import { Sprite } from './ui/Icon.tsx';
import { KeysOverlay } from './ui/KeysOverlay.tsx';
import { Palette } from './ui/Palette.tsx';
import { usePlace } from './useHost.ts';
import { Workbench } from './Workbench.tsx';

const NO_SCENE: Scene = { calls: 0, boundaries: [], own: 'designed', policies: [] };

export function App() {
  const file = usePlace((s) => s.file);
  const overlay = usePlace((s) => s.overlay);
  const [scene, setScene] = useState<Scene>(NO_SCENE);
  const commands = useMemo(() => commandsOf(scene), [scene]);
  useKeys(commands);
  return (
    <>
      <Sprite />
      {file === null ? <Library /> : <Workbench key={file} onScene={setScene} />}
      {overlay === 'palette' && <Palette commands={commandsAt(commands, file)} file={file} />}
      {overlay === 'keys' && <KeysOverlay commands={commands} />}
    </>
  );
}

/** Keys work wherever the focus is, unless a person types or an overlay is open. */
function useKeys(commands: readonly Command[]): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const { file, overlay, maximised } = store.getState();
      if (event.key === 'Escape' && overlay === 'none')
        return go(maximised === null ? { message: null } : { maximised: null });
      const command =
        overlay === 'none' ? commandFor(commandsAt(commands, file), event) : undefined;
      if (command === undefined) return;
      event.preventDefault();
      command.run();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [commands]);
}
