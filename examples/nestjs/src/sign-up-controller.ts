import { Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { createPosternServerClient, getSignUp, nestGuard } from '@postern/sdk-node';

const postern = createPosternServerClient({
  baseUrl: process.env.POSTERN_URL ?? '',
  projectId: process.env.POSTERN_PROJECT_ID ?? '',
  apiKey: process.env.POSTERN_SERVER_KEY ?? '',
});

@Controller('sign-up')
export class SignUpController {
  @Post()
  @HttpCode(200)
  @UseGuards(nestGuard(postern))
  create(@Req() request: object): string {
    return `Welcome, ${getSignUp(request).email}!`;
  }
}
