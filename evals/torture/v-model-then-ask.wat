(module
  (import "teacher-assist:plugin/model@0.2.0" "ask" (func $ask (param i32 i32 i32 i32 i32 i32)))
  (import "teacher-assist:plugin/ask@0.2.0" "put"
    (func $put (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
  (memory (export "memory") 2)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  (data (i32.const 1024) "again")
  ;; What lies behind 4096 is `pass` without notes.
  (func (export "teacher-assist:plugin/pre-loop@0.2.0#run") (param i32) (result i32)
    (call $ask (i32.const 1024) (i32.const 5) (i32.const 1024) (i32.const 5) (i32.const 64) (i32.const 2048))
    (call $put
      (i32.const 1024) (i32.const 5) (i32.const 1024) (i32.const 5) (i32.const 1024) (i32.const 5)
      (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 3072))
    (i32.const 4096)))
