//! The implementation of the GSS-API by logins of the crate `tallrow_kerberos`.

use tallrow_kerberos::Login;
use tallrow_kerberos::gss::{Context, Initiator};

use super::gssapi::{BoxError, GssContext, GssStep, Gssapi, Negotiation, StartFuture};

impl Gssapi for Login {
    fn start(&self, service: String) -> StartFuture<'_> {
        Box::pin(async move {
            let ticket = self.ticket(&service.parse()?).await?;
            let (initiator, token) = Initiator::start(&ticket)?;
            Ok((Box::new(initiator) as Box<dyn Negotiation>, token))
        })
    }

    fn on_refused(&self, service: &str) {
        if let Ok(service) = service.parse() {
            self.forget(&service);
        }
    }
}

impl Negotiation for Initiator {
    fn step(self: Box<Self>, token: &[u8]) -> Result<GssStep, BoxError> {
        Ok(GssStep::Done(Box::new(self.finish(token)?)))
    }
}

impl GssContext for Context {
    fn wrap(&mut self, text: &[u8], seal: bool) -> Result<Vec<u8>, BoxError> {
        Ok(Self::wrap(self, text, seal)?)
    }

    fn unwrap(&mut self, token: Vec<u8>) -> Result<(Vec<u8>, bool), BoxError> {
        let (mut text, sealed) = Self::unwrap(self, token)?;
        Ok((std::mem::take(&mut *text), sealed))
    }
}
