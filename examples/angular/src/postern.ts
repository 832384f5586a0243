import { InjectionToken } from '@angular/core';
import type { PosternClient } from '@postern/sdk-angular';

export const POSTERN = new InjectionToken<PosternClient>('Postern');
